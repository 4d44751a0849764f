/* SPDX-License-Identifier: GPL-2.0-only */
/* Pins: user pages pinned for writing. Process context, without mmap_lock. */
#ifndef PROFIL_PINS_H
#define PROFIL_PINS_H

#include <linux/types.h>

struct mm_struct;
struct page;

/*
 * Pin @nr pages from @addr on, faulting them in; the caller holds mm_users. 0,
 * or an errno with none of them pinned: EFAULT, also for a shared mapping of a
 * file that is neither of shmem nor of hugetlbfs; ENOMEM; EINTR when a fatal
 * signal is pending.
 */
int profil_pins_get(struct mm_struct *mm, unsigned long addr, unsigned int nr,
		    struct page **pages);

/* Unpin pages that have been written. Sleeps. */
void profil_pins_put(struct page **pages, unsigned int nr);

#endif /* PROFIL_PINS_H */
