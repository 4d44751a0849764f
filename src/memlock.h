/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memlock: the charge of pinned pages against RLIMIT_MEMLOCK of a user, together with the
 * user's other processes, and with pages pinned by io_uring and others.
 *
 * A pin keeps the whole folio in memory, a huge page for example, so a folio is charged
 * as a whole, from its first pinned page to its last. The kernel does not split a folio
 * with a pinned page, so its size is the same at both ends.
 */
#ifndef PROFIL_MEMLOCK_H
#define PROFIL_MEMLOCK_H

#include <linux/types.h>
#include <linux/xarray.h>

struct cred;
struct mm_struct;
struct page;

/**
 * struct memlock - the user who is charged, and the limit
 * @cred: credentials of START's caller, with a reference, for the user; NULL if
 *	CAP_IPC_LOCK exempts the caller
 * @limit: RLIMIT_MEMLOCK of START's caller, in pages
 */
struct memlock {
	const struct cred *cred;
	unsigned long limit;
};

/* Take user and limit from current, START's caller. */
void profil_memlock_init(struct memlock *memlock);
void profil_memlock_release(struct memlock *memlock);

/*
 * Charge the folios of @nr pinned pages of @mm, and add them to its VmPin. @large has the
 * number of pinned pages in each folio of more than one page, by the number of its first
 * page frame, under the lock of the session. ENOMEM, also if the user would exceed the
 * limit: then nothing is charged. Sleeps.
 */
int profil_memlock_charge(const struct memlock *memlock, struct xarray *large,
			  struct mm_struct *mm, struct page **pages,
			  unsigned int nr);

/*
 * Remove @nr pages, which are still pinned. Returns the number of pages to uncharge once
 * these are unpinned: those of folios without a pinned page. Sleeps.
 */
unsigned long profil_memlock_remove(struct xarray *large, struct page **pages,
				    unsigned int nr);
void profil_memlock_uncharge(const struct memlock *memlock,
			     struct mm_struct *mm, unsigned long nr);

#endif /* PROFIL_MEMLOCK_H */
