/* SPDX-License-Identifier: GPL-2.0-only */
/* Look-ups: which text of a program a sample was taken in. */
#ifndef PROFIL_LOOKUP_H
#define PROFIL_LOOKUP_H

#include <linux/types.h>

struct identity;
struct table;
struct user_regs;

/*
 * In the sampled task, in process context and an RCU section: count @samples that were
 * taken with @regs, in @mode of half_add_kernel(), in current's address space. @identity is that of
 * current. A table with PROFIL_TABLE_TREE has samples of programs only that its opener
 * may trace. No page fault of the program is handled, no file read, and nothing is
 * waited for but spinlocks. False: nothing has been counted, since current should use its
 * stack from *@absent on first, see WALK_ABSENT.
 */
bool profil_lookup_count(struct table *table, const struct identity *identity,
			 const struct user_regs *regs, u64 mode, u32 samples,
			 u64 *absent);

#endif /* PROFIL_LOOKUP_H */
