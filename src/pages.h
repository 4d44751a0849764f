/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages: a table of pinned pages, by number from 0 on. An entry is absent, or
 * the kernel address of a page; the address is tagged when the page is dropped,
 * which is still pinned but not written any more. 64-bit kernels have an
 * address for every page.
 *
 * Short tables are arrays, which a sample reads in one load. Long ones are
 * xarrays: most of their pages are never pinned.
 */
#ifndef PROFIL_PAGES_H
#define PROFIL_PAGES_H

#include <linux/types.h>
#include <linux/xarray.h>

struct page;

/* Pages in an array; a power of two. */
#define PAGES_SHORT 64

/**
 * struct pages - a table of pinned pages
 * @tree: the entries of a long table. Its lock guards changes of either kind of
 *	table; readers take no lock. Reclaim takes it, so nothing is allocated
 *	while it is held
 * @is_short: @array is used. Set by profil_pages_begin(), before the first use
 * @array: the entries of a short table
 */
struct pages {
	struct xarray tree;
	bool is_short;
	void *array[PAGES_SHORT];
};

void profil_pages_init(struct pages *pages);

/* Choose the kind of table, for page numbers up to @last. */
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
 * The entry at @index, or NULL. Any context. The program controls @index, by
 * its PC and its regions, so under speculation it must not lead outside the
 * array. An xarray masks the index in each of its nodes.
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
 * Reserve @nr absent entries, so that profil_pages_put() allocates nothing.
 * ENOMEM, with none reserved.
 */
int profil_pages_reserve(struct pages *pages, unsigned long index,
			 unsigned int nr);
void profil_pages_unreserve(struct pages *pages, unsigned long index,
			    unsigned int nr);

/* Store a page in a reserved entry. Under the lock. */
void profil_pages_put(struct pages *pages, unsigned long index,
		      struct page *page);

/* Drop the pages @index to @last. Under the lock. */
void profil_pages_drop(struct pages *pages, unsigned long index,
		       unsigned long last);

/*
 * Move dropped pages to @to, at most @nr, or with @all any pages; returns their
 * number. One caller at a time, process context.
 */
unsigned int profil_pages_take(struct pages *pages, struct page **to,
			       unsigned int nr, bool all);

/* The last call: all pages have been taken out. */
void profil_pages_destroy(struct pages *pages);

#endif /* PROFIL_PAGES_H */
