/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings: what an address space has mapped, and user pages that are pinned for writing.
 * Each answer may be out of date on return. Process context, without mmap_lock.
 */
#ifndef PROFIL_MAPPINGS_H
#define PROFIL_MAPPINGS_H

struct mm_struct;
struct page;

/*
 * How far mappings extend from @addr on without a hole, up to @end or beyond; @addr if
 * nothing is mapped there. -EINTR when a fatal signal is pending.
 */
unsigned long profil_mappings_reach(struct mm_struct *mm, unsigned long addr,
				    unsigned long end);

/*
 * Pin @nr pages from @addr on, faulting them in; @mm is current's. 0, or an errno
 * with none of them pinned: EFAULT, also for a shared mapping of a file that is
 * neither of shmem nor of hugetlbfs; ENOMEM; EINTR when a fatal signal is pending;
 * EAGAIN when mmap_lock was released while a page was read.
 */
int profil_mappings_pin(struct mm_struct *mm, unsigned long addr,
			unsigned int nr, struct page **pages);

#endif /* PROFIL_MAPPINGS_H */
