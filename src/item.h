/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Items: samples of a table that wait for a look-up. The sampled task does it, in
 * a task work (deferred.c): before it returns to user mode, so that a sample in user
 * mode is looked up before the next instruction of the program, and one in kernel
 * mode when the system call ends.
 *
 * A task that sleeps in a system call keeps its item. Its samples are cancelled
 * when the table ends, so nothing waits for a system call.
 */
#ifndef PROFIL_ITEM_H
#define PROFIL_ITEM_H

#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "space.h"

struct table;

/**
 * struct item - a sample that waits, or several at one PC
 * @work: task work of @task
 * @node: in the list of items not in use
 * @table: with a reference while the item is in use
 * @task: who shall look up the sample; NULL from the moment at which it does.
 *	Until then it has not run its works for the last time, so RCU keeps it
 * @identity: of the program at the time of the sample
 * @pc: of the sample, in user mode; in kernel mode that of the entry
 * @kernel: the sample was taken in kernel mode
 * @samples: number of samples; written with interrupts off on the CPU of @task
 * @cpu: in whose list the item belongs
 */
struct item {
	struct callback_head work;
	struct llist_node node;
	struct table *table;
	struct task_struct *task;
	struct identity identity;
	u64 pc;
	bool kernel;
	u32 samples;
	int cpu;
};

/* A task that sleeps in a system call keeps an item of the CPU on which it was. */
#define ITEMS_OF_CPU 128

/*
 * Items for samples in user mode alone, which are given back at once: tasks that
 * sleep in system calls cannot use these up.
 */
#define ITEMS_RESERVED 16

struct cpu_items {
	struct llist_head unused;
	struct llist_head reserved;
	struct item items[ITEMS_OF_CPU];
};

#define LAST_BITS 8

/**
 * struct items - the items of a table
 * @cpus: those of each CPU
 * @last: the last item of a task, by a hash of the task: a hint
 */
struct items {
	struct cpu_items __percpu *cpus;
	struct item *last[1 << LAST_BITS];
};

/* Interrupts are off: only this CPU takes items from its lists. NULL: none left. */
static inline struct item *items_take(struct items *items, bool kernel)
{
	struct cpu_items *of_cpu = this_cpu_ptr(items->cpus);
	struct llist_node *node = llist_del_first(&of_cpu->unused);

	if (!node && !kernel)
		node = llist_del_first(&of_cpu->reserved);
	return node ? container_of(node, struct item, node) : NULL;
}

/* @item is not in use any more. Any context. */
static inline void items_give_back(struct items *items, struct item *item)
{
	struct cpu_items *of_cpu = per_cpu_ptr(items->cpus, item->cpu);
	bool is_reserved = item < &of_cpu->items[ITEMS_RESERVED];

	llist_add(&item->node,
		  is_reserved ? &of_cpu->reserved : &of_cpu->unused);
}

/* NULL if there is no memory. No item is in use when they are freed. Sleep. */
struct items *profil_items_alloc(void);
void profil_items_free(struct items *items);

#endif /* PROFIL_ITEM_H */
