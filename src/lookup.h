/* SPDX-License-Identifier: GPL-2.0-only */
/* Look-ups: the sampled task finds what is mapped at the PC of its sample. */
#ifndef PROFIL_LOOKUP_H
#define PROFIL_LOOKUP_H

#include <linux/types.h>

struct identity;
struct table;

/*
 * In the sampled task, in process context: count @samples that were taken at @pc,
 * in @kernel mode, in current's address space. @identity is that of current. A table
 * with PROFIL_TABLE_TREE has samples of programs only that its opener may trace. No
 * page fault of the program is handled, and no file read. The wait for mmap_lock
 * ends with a fatal signal. Sleeps.
 */
void profil_lookup_count(struct table *table, const struct identity *identity,
			 u64 pc, bool kernel, u32 samples);

#endif /* PROFIL_LOOKUP_H */
