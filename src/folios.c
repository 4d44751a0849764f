// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>

#include "folios.h"

void profil_folios_init(struct folios *folios)
{
	xa_init_flags(&folios->large, XA_FLAGS_ACCOUNT);
}

/* The number of pinned pages of @folio. */
static unsigned long pages_in(struct folios *folios, struct folio *folio)
{
	void *entry = xa_load(&folios->large, folio_pfn(folio));

	return entry ? xa_to_value(entry) : 0;
}

static long add_one(struct folios *folios, struct page *page)
{
	struct folio *folio = page_folio(page);
	unsigned long before;
	int err;

	if (!folio_test_large(folio))
		return 1;
	before = pages_in(folios, folio);
	err = xa_err(xa_store(&folios->large, folio_pfn(folio),
			      xa_mk_value(before + 1), GFP_KERNEL));
	if (err)
		return err;
	return before ? 0 : folio_nr_pages(folio);
}

/* A store that replaces an entry allocates nothing. */
static unsigned long remove_one(struct folios *folios, struct page *page)
{
	struct folio *folio = page_folio(page);
	unsigned long before;

	if (!folio_test_large(folio))
		return 1;
	before = pages_in(folios, folio);
	if (before == 1) {
		xa_erase(&folios->large, folio_pfn(folio));
		return folio_nr_pages(folio);
	}
	xa_store(&folios->large, folio_pfn(folio), xa_mk_value(before - 1), 0);
	return 0;
}

unsigned long profil_folios_remove(struct folios *folios, struct page **pages,
				   unsigned int nr)
{
	unsigned long charge = 0;

	while (nr--)
		charge += remove_one(folios, pages[nr]);
	return charge;
}

long profil_folios_add(struct folios *folios, struct page **pages,
		       unsigned int nr)
{
	unsigned int i;
	long charge = 0;

	for (i = 0; i < nr; i++) {
		long more = add_one(folios, pages[i]);

		if (more < 0) {
			profil_folios_remove(folios, pages, i);
			return more;
		}
		charge += more;
	}
	return charge;
}

void profil_folios_destroy(struct folios *folios)
{
	xa_destroy(&folios->large);
}
