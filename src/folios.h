/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folios that a session's pinned pages are in. To pin a page is to keep all
 * of its folio, a huge page for example, in memory; so a folio is charged as a
 * whole, with its first page, until its last is unpinned. A folio with a pinned
 * page is never split, so that it is the same in the end as in the beginning.
 */
#ifndef PROFIL_FOLIOS_H
#define PROFIL_FOLIOS_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

struct page;

/**
 * struct folios - see above
 * @lock: guards the numbers in @large. START adds pages while the session's
 *	work, queued by a change of the mappings, removes others of the same
 *	folio
 * @large: the number of pinned pages in each folio of more than one page, by the
 *	number of its first page frame
 */
struct folios {
	struct mutex lock; /* guards large */
	struct xarray large;
};

void profil_folios_init(struct folios *folios);

/*
 * Enter @nr pages that are pinned. Returns how many pages are to be charged for
 * those of their folios that were not there before; ENOMEM, and then none is
 * entered. Sleeps, as profil_folios_remove() does.
 */
long profil_folios_add(struct folios *folios, struct page **pages,
		       unsigned int nr);

/*
 * Take @nr pages out, which are still pinned. Returns how many pages are not
 * charged any more, once they are unpinned.
 */
unsigned long profil_folios_remove(struct folios *folios, struct page **pages,
				   unsigned int nr);

/* The last call: all pages have been removed. */
void profil_folios_destroy(struct folios *folios);

#endif /* PROFIL_FOLIOS_H */
