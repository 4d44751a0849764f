/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers: the memory that START is given for counters. Small buffers are
 * pinned at START, large ones checked; a forked child's are checked for holes.
 */
#ifndef PROFIL_BUFFERS_H
#define PROFIL_BUFFERS_H

struct counters;
struct mm_struct;

/*
 * Pin all pages of small buffers, and one page in each mapping of large ones.
 * The mappings are watched, and the caller holds mm_users but not mmap_lock.
 * EFAULT when a buffer is unmapped, read-only or cannot be pinned; ENOMEM; EINTR
 * when a fatal signal is pending.
 */
int profil_buffers_pin(struct counters *counters);

/*
 * In a forked child, before its mappings are watched: end the regions that are
 * not mapped from end to end. EINTR when a fatal signal is pending.
 */
int profil_buffers_inherit(struct counters *counters, struct mm_struct *mm);

#endif /* PROFIL_BUFFERS_H */
