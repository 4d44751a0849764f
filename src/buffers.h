/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers: the memory that START is given for counters. Small buffers are
 * pinned at START, large ones checked; a forked child's are checked for holes.
 */
#ifndef PROFIL_BUFFERS_H
#define PROFIL_BUFFERS_H

#include <linux/types.h>

struct config;
struct counters;
struct mm_struct;
struct mmu_interval_notifier_ops;

/*
 * Watch the mappings of the buffers in @mm. Then pin all pages of small
 * buffers, and one page in each mapping of large ones. Of @inherited counters
 * pin nothing, but end the regions that are not mapped from end to end. The
 * caller holds mm_users but not mmap_lock. EFAULT when a buffer is unmapped,
 * read-only or cannot be pinned; ENOMEM; EINTR when a fatal signal is pending.
 */
int profil_buffers_open(struct counters *counters, const struct config *config,
			struct mm_struct *mm,
			const struct mmu_interval_notifier_ops *ops,
			bool inherited);

#endif /* PROFIL_BUFFERS_H */
