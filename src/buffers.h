/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers: the memory that START is given for counters. Small ones are pinned,
 * large ones looked at, and those that a child inherits looked for.
 */
#ifndef PROFIL_BUFFERS_H
#define PROFIL_BUFFERS_H

struct config;
struct counters;
struct mm_struct;

/*
 * Pin the pages of @counters, if they are small, else of each mapping that they
 * lie in one page; see profil_counters_open(), which is the caller, for the errors.
 */
int profil_buffers_open(struct counters *counters, const struct config *config,
			struct mm_struct *mm);

/*
 * The same for a forked child: end the regions that are not mapped from end to
 * end. EINTR when a fatal signal is pending.
 */
int profil_buffers_inherit(struct counters *counters,
			   const struct config *config, struct mm_struct *mm);

/*
 * How far mappings reach from @addr on without a hole, up to @end or beyond;
 * @addr if nothing is mapped there. -EINTR when a fatal signal is pending.
 */
unsigned long profil_buffers_reach(struct mm_struct *mm, unsigned long addr,
				   unsigned long end);

#endif /* PROFIL_BUFFERS_H */
