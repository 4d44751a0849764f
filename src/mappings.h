/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings: questions about what an address space has mapped. Each takes
 * mmap_lock for reading, so the answer may be out of date on return.
 */
#ifndef PROFIL_MAPPINGS_H
#define PROFIL_MAPPINGS_H

struct mm_struct;

/*
 * How far mappings extend from @addr on without a hole, up to @end or beyond;
 * @addr if nothing is mapped there. -EINTR when a fatal signal is pending.
 */
unsigned long profil_mappings_reach(struct mm_struct *mm, unsigned long addr,
				    unsigned long end);

/*
 * Find the end of the writable mapping that contains @addr. EFAULT, with @end
 * 0, if there is none; EINTR when a fatal signal is pending.
 */
int profil_mappings_writable_end(struct mm_struct *mm, unsigned long addr,
				 unsigned long *end);

#endif /* PROFIL_MAPPINGS_H */
