/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of pinned pages, by number from 0 on. An entry is absent, or the
 * kernel's address of a page, tagged when the page is dropped: still pinned, but
 * not to be written any more. 64-bit kernels have an address for each page.
 *
 * Short tables are arrays, which a sample reads in one load. Long ones are
 * xarrays: most of their pages are never pinned.
 */
#ifndef PROFIL_PAGES_H
#define PROFIL_PAGES_H

#include <linux/types.h>
#include <linux/xarray.h>

struct page;

/* As many pages as an array has room for; a power of two. */
#define PAGES_SHORT 64

/**
 * struct pages - the table
 * @tree: a long table's entries. Its lock guards changes of either kind of
 *	table; readers do without. It is taken under reclaim, so nothing
 *	allocates with it held
 * @is_short: @array is used. Set by profil_pages_begin(), before the first use
 * @array: a short table's entries
 */
struct pages {
	struct xarray tree;
	bool is_short;
	void *array[PAGES_SHORT];
};

void profil_pages_init(struct pages *pages);

/* The table shall have pages up to the number @last. */
void profil_pages_begin(struct pages *pages, unsigned long last);

static inline void pages_lock(struct pages *pages)
{
	xa_lock(&pages->tree);
}

static inline void pages_unlock(struct pages *pages)
{
	xa_unlock(&pages->tree);
}

/*
 * Any context: the entry, or NULL. @index comes from the program, its PC and its
 * regions: where a CPU runs ahead, it must not lead out of the array. An xarray
 * takes only so many bits of an index in each of its nodes.
 */
static inline void *pages_entry(struct pages *pages, unsigned long index)
{
	if (pages->is_short)
		return READ_ONCE(pages->array[index % PAGES_SHORT]);
	return xa_load(&pages->tree, index);
}

static inline bool pages_dropped(const void *entry)
{
	return xa_pointer_tag((void *)entry);
}

/*
 * Make room for @nr entries that are absent, so that profil_pages_put() allocates
 * nothing. ENOMEM, and then there is none.
 */
int profil_pages_reserve(struct pages *pages, unsigned long index,
			 unsigned int nr);
void profil_pages_unreserve(struct pages *pages, unsigned long index,
			    unsigned int nr);

/* Under the lock: enter a page where room is. */
void profil_pages_put(struct pages *pages, unsigned long index,
		      struct page *page);

/* Under the lock: drop the pages @index to @last. */
void profil_pages_drop(struct pages *pages, unsigned long index,
		       unsigned long last);

/*
 * Move dropped pages out into @to, at most @nr, or with @all any; returns how
 * many. One caller at a time, process context.
 */
unsigned int profil_pages_take(struct pages *pages, struct page **to,
			       unsigned int nr, bool all);

/* The last call: all pages have been taken. */
void profil_pages_destroy(struct pages *pages);

#endif /* PROFIL_PAGES_H */
