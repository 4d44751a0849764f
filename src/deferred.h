/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred samples of tables. Each waits in an item for the sampled task to look it up, in
 * a task work: before the next instruction of a program in user mode, and at the end of a
 * system call.
 *
 * All programs that a table samples share its items; a user has half of those of a CPU at
 * most. A task that sleeps in a system call keeps its item until the second TAKE after the
 * sample, which takes the work back. A work cannot be taken back from a task that waits in
 * another one of its works, as for the server of a file: the item, and so the items of the
 * table and the module, stay until that ends. The table does not: the work finds none.
 */
#ifndef PROFIL_DEFERRED_H
#define PROFIL_DEFERRED_H

#include <linux/types.h>

struct half;
struct identity;
struct items;
struct table;
struct user_regs;

/* Make the items of @table, charged to the user of a tree. ENOMEM; EAGAIN. Sleeps. */
int profil_deferred_alloc(struct table *table);

/*
 * Hard interrupt: have current look up a sample with @regs, in @mode of half_add_kernel().
 * In @half it is counted as deferred, or by the reason for which it cannot be.
 */
void profil_deferred_add(struct table *table, struct half *half,
			 const struct identity *identity,
			 const struct user_regs *regs, u64 mode);

/* Take back the works of samples up to @interval that have not begun. Sleeps. */
void profil_deferred_cancel(struct table *table, u32 interval);

/*
 * Take back all works that have not begun. No sample of @table is taken any more, and no
 * task looks one up on return. Sleeps.
 */
void profil_deferred_end(struct table *table);

/* Drop the table's reference to its items; NULL is fine. Any process context. */
void profil_deferred_put(struct items *items);

#endif /* PROFIL_DEFERRED_H */
