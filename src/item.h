/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Items: samples of a table that wait for a look-up. The sampled task does it, in
 * a task work: before it returns to user mode, so that a sample in user mode is
 * looked up before the next instruction of the program, and one in kernel mode
 * when the system call ends.
 *
 * A task that sleeps in a system call keeps its item. Its samples are cancelled
 * when the table ends, so nothing waits for a system call.
 */
#ifndef PROFIL_ITEM_H
#define PROFIL_ITEM_H

#include <linux/types.h>

struct half;
struct identity;
struct items;
struct table;

/*
 * Hard interrupt: have current look up a sample at @pc, and count it for @table in
 * the end. In @half the sample is counted as deferred, or by the reason for which
 * it cannot be.
 */
void profil_item_defer(struct table *table, struct half *half,
		       const struct identity *identity, u64 pc, bool kernel);

/*
 * Take back the works of tasks that have not begun with them. No sample of @table
 * is taken any more. Sleeps.
 */
void profil_items_cancel(struct table *table);

/* NULL if there is no memory. No item is in use when they are freed. Sleep. */
struct items *profil_items_alloc(void);
void profil_items_free(struct items *items);

#endif /* PROFIL_ITEM_H */
