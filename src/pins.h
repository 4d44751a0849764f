/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pins: user pages that are pinned for writing, and their charge against RLIMIT_MEMLOCK of
 * a user, together with the user's other processes, and with pages pinned by io_uring and
 * others.
 *
 * A pin keeps the whole folio in memory, a huge page for example, so a folio is charged
 * as a whole, from its first pinned page to its last. The kernel does not split a folio
 * with a pinned page, so its size is the same at both ends.
 */
#ifndef PROFIL_PINS_H
#define PROFIL_PINS_H

#include <linux/types.h>
#include <linux/xarray.h>

struct cred;
struct mm_struct;
struct page;

/**
 * struct pins - the user who is charged, and the limit
 * @cred: credentials of START's caller, with a reference, for the user; NULL if
 *	CAP_IPC_LOCK exempts the caller
 * @limit: RLIMIT_MEMLOCK of START's caller, in pages
 */
struct pins {
	const struct cred *cred;
	unsigned long limit;
};

/* Take user and limit from current, START's caller. */
void profil_pins_init(struct pins *pins);
void profil_pins_release(struct pins *pins);

/*
 * Pin @nr pages from @addr on, faulting them in, and charge their folios; @mm is current's.
 * @large has the number of pinned pages in each folio of more than one page, by the number
 * of its first page frame, under the lock of the session. 0, or an errno with none of them
 * pinned: EFAULT, also for a shared mapping of a file that is neither of shmem nor of
 * hugetlbfs; ENOMEM, also if the user would exceed the limit; EINTR when a fatal signal is
 * pending; EAGAIN when mmap_lock was released while a page was read. Sleeps.
 */
int profil_pins_add(const struct pins *pins, struct xarray *large,
		    struct mm_struct *mm, unsigned long addr, unsigned int nr,
		    struct page **pages);

/* Unpin and uncharge them; they are @dirty if samples may have written to them. Sleeps. */
void profil_pins_remove(const struct pins *pins, struct xarray *large,
			struct mm_struct *mm, struct page **pages,
			unsigned int nr, bool dirty);

/*
 * How far mappings extend from @addr on without a hole, up to @end or beyond; @addr if
 * nothing is mapped there. It may be out of date on return. -EINTR when a fatal signal is
 * pending. Process context, without mmap_lock.
 */
unsigned long profil_pins_reach(struct mm_struct *mm, unsigned long addr,
				unsigned long end);

#endif /* PROFIL_PINS_H */
