/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages: a table of pinned pages, by number. An entry is absent, or the kernel address of
 * a page, tagged when the page is dropped, which is still pinned but not written any more.
 * 64-bit kernels have an address for every page.
 * Short tables are arrays, which a sample reads in one load; long ones are xarrays.
 */
#ifndef PROFIL_PAGES_H
#define PROFIL_PAGES_H

#include <linux/types.h>
#include <linux/xarray.h>

struct page;

/* Pages in an array; a power of two. */
#define PAGES_SHORT 64

/* A table of pinned pages, by their numbers in the address space */
struct pages {
	/* the entries of a short table, by the number modulo PAGES_SHORT */
	void *array[PAGES_SHORT];
	/*
	 * the entries of a long table. Its lock guards changes of either kind. Reclaim takes it,
	 * so nothing is allocated while it is held
	 */
	struct xarray tree;
	/* the lowest number, constant after profil_pages_begin(), as the next two */
	unsigned long first;
	unsigned long last; /* the highest number */
	bool is_short; /* @array is used */
	/* samples may still be writing to pages that have been taken out. Under the lock */
	bool taking;
};

/* Make a table, which is zero, for the numbers @first to @last. */
void profil_pages_begin(struct pages *pages, unsigned long first,
			unsigned long last);

static inline void pages_lock(struct pages *pages)
{
	xa_lock(&pages->tree);
}

static inline void pages_unlock(struct pages *pages)
{
	xa_unlock(&pages->tree);
}

/*
 * The entry of page @number, or NULL. Any context. The program controls @number, so under
 * speculation it must not lead outside the array. An xarray masks the index.
 */
static inline void *pages_entry(struct pages *pages, unsigned long number)
{
	if (pages->is_short)
		return READ_ONCE(pages->array[number % PAGES_SHORT]);
	return xa_load(&pages->tree, number - pages->first);
}

static inline bool pages_dropped(const void *entry)
{
	return xa_pointer_tag((void *)entry);
}

/* Reserve @nr absent entries for profil_pages_put(), or none of them: ENOMEM. */
int profil_pages_reserve(struct pages *pages, unsigned long number,
			 unsigned int nr);
void profil_pages_unreserve(struct pages *pages, unsigned long number,
			    unsigned int nr);

/* Store a page in a reserved entry. Under the lock. */
void profil_pages_put(struct pages *pages, unsigned long number,
		      struct page *page);

/* Drop pages. Under the lock. False if no sample can be writing to one of them. */
bool profil_pages_drop(struct pages *pages, unsigned long number,
		       unsigned long last);

/*
 * Move dropped pages to @to, at most @nr, or with @all any pages; returns their number. One
 * caller at a time, process context. If there were any, the caller waits for samples that
 * may be writing to them, then calls profil_pages_taken().
 */
unsigned int profil_pages_take(struct pages *pages, struct page **to,
			       unsigned int nr, bool all);

void profil_pages_taken(struct pages *pages);

/* The last call: all pages have been taken out. */
void profil_pages_destroy(struct pages *pages);

#endif /* PROFIL_PAGES_H */
