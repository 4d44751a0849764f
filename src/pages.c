// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>

#include "pages.h"

/* The tag of a dropped page, and the mark of its entry in an xarray. */
#define DROPPED 1UL
#define DROPPED_MARK XA_MARK_0

void profil_pages_begin(struct pages *pages, unsigned long first,
			unsigned long last)
{
	xa_init_flags(&pages->tree, XA_FLAGS_ACCOUNT);
	pages->first = first;
	pages->last = last;
	pages->is_short = last - first < PAGES_SHORT;
}

void profil_pages_unreserve(struct pages *pages, unsigned long number,
			    unsigned int nr)
{
	while (!pages->is_short && nr--)
		xa_release(&pages->tree, number - pages->first + nr);
}

int profil_pages_reserve(struct pages *pages, unsigned long number,
			 unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; !pages->is_short && i < nr; i++) {
		err = xa_reserve(&pages->tree, number - pages->first + i,
				 GFP_KERNEL);
		if (err) {
			profil_pages_unreserve(pages, number, i);
			return err;
		}
	}
	return 0;
}

void profil_pages_put(struct pages *pages, unsigned long number,
		      struct page *page)
{
	lockdep_assert_held(&pages->tree.xa_lock);
	if (pages->is_short)
		WRITE_ONCE(pages->array[number % PAGES_SHORT],
			   page_address(page));
	else
		__xa_store(&pages->tree, number - pages->first,
			   page_address(page), 0);
}

static bool drop_from_array(void **array, unsigned long number,
			    unsigned long last)
{
	bool found = false;

	for (; number <= last; number++) {
		void **at = &array[number % PAGES_SHORT];

		if (!*at)
			continue;
		found = true;
		WRITE_ONCE(*at, xa_tag_pointer(*at, DROPPED));
	}
	return found;
}

static bool drop_from_tree(struct xarray *tree, unsigned long index,
			   unsigned long last)
{
	XA_STATE(xas, tree, index);
	bool found = false;
	void *entry;

	xas_for_each(&xas, entry, last) {
		if (xa_is_zero(entry)) /* reserved */
			continue;
		found = true;
		if (pages_dropped(entry))
			continue;
		xas_store(&xas, xa_tag_pointer(entry, DROPPED));
		xas_set_mark(&xas, DROPPED_MARK);
	}
	return found;
}

bool profil_pages_drop(struct pages *pages, unsigned long number,
		       unsigned long last)
{
	bool found;

	lockdep_assert_held(&pages->tree.xa_lock);
	if (pages->is_short)
		found = drop_from_array(pages->array, number, last);
	else
		found = drop_from_tree(&pages->tree, number - pages->first,
				       last - pages->first);
	return found || pages->taking;
}

static unsigned int take_from_array(struct pages *pages, struct page **to,
				    unsigned int nr, bool all)
{
	unsigned int taken = 0, i;

	pages_lock(pages);
	for (i = 0; i < PAGES_SHORT && taken < nr; i++) {
		void *entry = pages->array[i];

		if (!entry || !(all || pages_dropped(entry)))
			continue;
		to[taken++] = virt_to_page(xa_untag_pointer(entry));
		WRITE_ONCE(pages->array[i], NULL);
	}
	pages_unlock(pages);
	return taken;
}

static unsigned int take_from_tree(struct xarray *tree, struct page **to,
				   unsigned int nr, bool all)
{
	xa_mark_t filter = all ? XA_PRESENT : DROPPED_MARK;
	unsigned long index = 0;
	unsigned int taken = 0;
	void *entry;

	for (entry = xa_find(tree, &index, ULONG_MAX, filter);
	     entry && taken < nr;
	     entry = xa_find_after(tree, &index, ULONG_MAX, filter)) {
		entry = xa_erase(tree, index);
		to[taken++] = virt_to_page(xa_untag_pointer(entry));
	}
	return taken;
}

static void set_taking(struct pages *pages, bool taking)
{
	pages_lock(pages);
	pages->taking = taking;
	pages_unlock(pages);
}

unsigned int profil_pages_take(struct pages *pages, struct page **to,
			       unsigned int nr, bool all)
{
	unsigned int taken;

	set_taking(pages, true);
	taken = pages->is_short ? take_from_array(pages, to, nr, all) :
				  take_from_tree(&pages->tree, to, nr, all);
	if (!taken)
		set_taking(pages, false);
	return taken;
}

void profil_pages_taken(struct pages *pages)
{
	set_taking(pages, false);
}

void profil_pages_destroy(struct pages *pages)
{
	xa_destroy(&pages->tree);
}
