/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pinning user pages for writing. All in process context, without mmap_lock.
 */
#ifndef PROFIL_PINS_H
#define PROFIL_PINS_H

#include <linux/types.h>

struct mm_struct;
struct page;

/*
 * Pin @nr pages from @addr, faulting them in; the caller holds mm_users.
 * Returns 0, or a negative errno with none of them pinned: EFAULT, also for a
 * shared mapping of a file that is neither of shmem nor of hugetlbfs, ENOMEM,
 * or EINTR when a fatal signal is pending.
 */
int profil_pins_get(struct mm_struct *mm, unsigned long addr, unsigned int nr,
		    struct page **pages);

/* Give pages back that were written. Sleeps. */
void profil_pins_put(struct page **pages, unsigned int nr);

#endif /* PROFIL_PINS_H */
