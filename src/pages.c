// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>

#include "pages.h"

/* The tag of a dropped page, and the mark of its entry in an xarray. */
#define DROPPED 1UL
#define DROPPED_MARK XA_MARK_0

void profil_pages_init(struct pages *pages)
{
	xa_init_flags(&pages->tree, XA_FLAGS_ACCOUNT);
}

void profil_pages_begin(struct pages *pages, unsigned long last)
{
	pages->is_short = last < PAGES_SHORT;
}

void profil_pages_unreserve(struct pages *pages, unsigned long index,
			    unsigned int nr)
{
	while (!pages->is_short && nr--)
		xa_release(&pages->tree, index + nr);
}

int profil_pages_reserve(struct pages *pages, unsigned long index,
			 unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; !pages->is_short && i < nr; i++) {
		err = xa_reserve(&pages->tree, index + i, GFP_KERNEL);
		if (err) {
			profil_pages_unreserve(pages, index, i);
			return err;
		}
	}
	return 0;
}

void profil_pages_put(struct pages *pages, unsigned long index,
		      struct page *page)
{
	lockdep_assert_held(&pages->tree.xa_lock);
	if (pages->is_short)
		WRITE_ONCE(pages->array[index], page_address(page));
	else
		__xa_store(&pages->tree, index, page_address(page), 0);
}

static void drop_from_array(void **array, unsigned long index,
			    unsigned long last)
{
	for (; index <= last; index++) {
		void *entry = array[index];

		if (entry && !pages_dropped(entry))
			WRITE_ONCE(array[index],
				   xa_tag_pointer(entry, DROPPED));
	}
}

static void drop_from_tree(struct xarray *tree, unsigned long index,
			   unsigned long last)
{
	XA_STATE(xas, tree, index);
	void *entry;

	xas_for_each(&xas, entry, last) {
		if (xa_is_zero(entry) || pages_dropped(entry))
			continue;
		xas_store(&xas, xa_tag_pointer(entry, DROPPED));
		xas_set_mark(&xas, DROPPED_MARK);
	}
}

void profil_pages_drop(struct pages *pages, unsigned long index,
		       unsigned long last)
{
	lockdep_assert_held(&pages->tree.xa_lock);
	if (pages->is_short)
		drop_from_array(pages->array, index, last);
	else
		drop_from_tree(&pages->tree, index, last);
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

unsigned int profil_pages_take(struct pages *pages, struct page **to,
			       unsigned int nr, bool all)
{
	if (pages->is_short)
		return take_from_array(pages, to, nr, all);
	return take_from_tree(&pages->tree, to, nr, all);
}

void profil_pages_destroy(struct pages *pages)
{
	xa_destroy(&pages->tree);
}
