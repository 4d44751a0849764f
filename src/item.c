// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "half.h"
#include "item.h"
#include "lookup.h"
#include "space.h"
#include "table.h"
#include "task_work.h"

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

struct cpu_items {
	struct llist_head unused;
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

struct items *profil_items_alloc(void)
{
	struct items *items = kzalloc(sizeof(*items), GFP_KERNEL_ACCOUNT);
	int cpu, i;

	if (!items)
		return NULL;
	items->cpus = alloc_percpu_gfp(struct cpu_items, GFP_KERNEL_ACCOUNT);
	if (!items->cpus) {
		kfree(items);
		return NULL;
	}
	for_each_possible_cpu(cpu) {
		struct cpu_items *of_cpu = per_cpu_ptr(items->cpus, cpu);

		init_llist_head(&of_cpu->unused);
		for (i = 0; i < ITEMS_OF_CPU; i++) {
			of_cpu->items[i].cpu = cpu;
			llist_add(&of_cpu->items[i].node, &of_cpu->unused);
		}
	}
	return items;
}

void profil_items_free(struct items *items)
{
	if (items)
		free_percpu(items->cpus);
	kfree(items);
}

/* @item is not in use any more. */
static void give_back(struct item *item, struct table *table)
{
	llist_add(&item->node,
		  &per_cpu_ptr(table->items->cpus, item->cpu)->unused);
}

/* Is current the program in which the sample was taken? */
static bool is_same_program(const struct identity *identity)
{
	return current->mm == identity->mm &&
	       current->self_exec_id == identity->exec_id;
}

/*
 * In the sampled task, before user mode or in its exit, after its mm has gone. The
 * table may be freed by the end: the last step is in profil_table_put(), for whose
 * return profil_exit() waits.
 */
static void look_up(struct callback_head *work)
{
	struct item *item = container_of(work, struct item, work);
	struct table *table = item->table;
	struct item copy;

	local_irq_disable(); /* no sample of current adds to the item */
	copy = *item;
	WRITE_ONCE(item->task, NULL);
	local_irq_enable();
	give_back(item, table);
	if (is_same_program(&copy.identity))
		profil_lookup_count(table, &copy.identity, copy.pc, copy.kernel,
				    copy.samples);
	else
		profil_table_resolved(
			table, current->mm ? OUTCOME_GONE : OUTCOME_EXITING,
			copy.samples);
	profil_table_put(table);
}

/* Add the sample to the item that current has for the same PC. */
static bool join(struct item *item, const struct identity *identity, u64 pc,
		 bool kernel)
{
	if (!item || READ_ONCE(item->task) != current || item->pc != pc ||
	    item->kernel != kernel ||
	    !identity_equal(&item->identity, identity))
		return false;
	item->samples++;
	return true;
}

static void give_to_current(struct item *item)
{
	WRITE_ONCE(item->task, current);
	init_task_work(&item->work, look_up);
	profil_task_work_add(current, &item->work);
}

/* Interrupts are off: only this CPU takes items from its list. */
void profil_item_defer(struct table *table, struct half *half,
		       const struct identity *identity, u64 pc, bool kernel)
{
	struct item **last = &table->items->last[hash_ptr(current, LAST_BITS)];
	struct llist_node *node;
	struct item *item;

	if (current->flags & PF_EXITING) {
		half_count(half, OUTCOME_EXITING, 1);
		return;
	}
	if (join(READ_ONCE(*last), identity, pc, kernel)) {
		half_count(half, OUTCOME_DEFERRED, 1);
		return;
	}
	node = llist_del_first(&this_cpu_ptr(table->items->cpus)->unused);
	if (!node) {
		half_count(half, OUTCOME_NO_ITEM, 1);
		return;
	}
	item = container_of(node, struct item, node);
	refcount_inc(&table->refs);
	item->table = table;
	item->identity = *identity;
	item->pc = pc;
	item->kernel = kernel;
	item->samples = 1;
	half_count(half, OUTCOME_DEFERRED, 1);
	give_to_current(item);
	WRITE_ONCE(*last, item);
}

static void cancel(struct table *table, struct item *item)
{
	struct task_struct *task;
	bool taken = false;

	rcu_read_lock();
	task = READ_ONCE(item->task);
	if (task)
		taken = profil_task_work_cancel(task, &item->work);
	rcu_read_unlock();
	if (!taken)
		return;
	profil_table_resolved(table, OUTCOME_CANCELLED, item->samples);
	WRITE_ONCE(item->task, NULL);
	profil_table_put(table);
}

void profil_items_cancel(struct table *table)
{
	int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < ITEMS_OF_CPU; i++)
			cancel(table,
			       &per_cpu_ptr(table->items->cpus, cpu)->items[i]);
}
