/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folios: those that contain the pinned pages of a session. A pin keeps the
 * whole folio in memory, a huge page for example, so a folio is charged as a
 * whole, from its first pinned page to its last. The kernel does not split a
 * folio with a pinned page, so its size is the same at both ends.
 */
#ifndef PROFIL_FOLIOS_H
#define PROFIL_FOLIOS_H

#include <linux/types.h>
#include <linux/xarray.h>

struct page;

/**
 * struct folios - pinned pages in each folio; under the lock of the session
 * @large: the number of pinned pages in each folio of more than one page, by
 *	the number of its first page frame
 */
struct folios {
	struct xarray large;
};

void profil_folios_init(struct folios *folios);

/*
 * Add @nr pinned pages. Returns the number of pages to charge: all pages of the
 * folios that had none before. ENOMEM, with none added. Sleeps.
 */
long profil_folios_add(struct folios *folios, struct page **pages,
		       unsigned int nr);

/*
 * Remove @nr pages, which are still pinned. Returns the number of pages to
 * uncharge once these are unpinned. Sleeps.
 */
unsigned long profil_folios_remove(struct folios *folios, struct page **pages,
				   unsigned int nr);

/* The last call: all pages have been removed. */
void profil_folios_destroy(struct folios *folios);

#endif /* PROFIL_FOLIOS_H */
