// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deferred samples of tables. Each waits in an item for the sampled task to look it
 * up, in a task work: before it returns to user mode, so that a sample in user mode
 * is looked up before the next instruction of the program, and one in kernel mode
 * when the system call ends.
 *
 * A task that sleeps in a system call keeps its item. Its samples are cancelled
 * when the table ends, so nothing waits for a system call.
 */
#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/sched.h>

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

/* Interrupts are off: only this CPU takes items from its lists. NULL: none left. */
static struct item *take(struct table *table, bool kernel)
{
	struct cpu_items *of_cpu = this_cpu_ptr(table->items);
	struct llist_node *node = llist_del_first(&of_cpu->unused);

	if (!node && !kernel)
		node = llist_del_first(&of_cpu->reserved);
	return node ? container_of(node, struct item, node) : NULL;
}

/* @item is not in use any more. Any context. */
static void give_back(struct table *table, struct item *item)
{
	struct cpu_items *of_cpu = per_cpu_ptr(table->items, item->cpu);
	bool is_reserved = item < &of_cpu->items[ITEMS_RESERVED];

	llist_add(&item->node,
		  is_reserved ? &of_cpu->reserved : &of_cpu->unused);
}

int profil_deferred_alloc(struct table *table)
{
	int cpu, i;

	table->items = alloc_percpu_gfp(struct cpu_items, GFP_KERNEL_ACCOUNT);
	if (!table->items)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct cpu_items *of_cpu = per_cpu_ptr(table->items, cpu);

		init_llist_head(&of_cpu->unused);
		init_llist_head(&of_cpu->reserved);
		for (i = 0; i < ITEMS_OF_CPU; i++) {
			of_cpu->items[i].cpu = cpu;
			give_back(table, &of_cpu->items[i]);
		}
		cond_resched();
	}
	return 0;
}

/* Is current the program in which the sample was taken? */
static bool is_same_program(const struct identity *identity)
{
	return current->mm == identity->mm &&
	       current->self_exec_id == identity->exec_id;
}

/*
 * The outcome of a sample whose program current has not any more. A sample in an
 * execve(2) that had not marked the task yet is looked up at its end.
 */
static enum outcome outcome_of_other(void)
{
	return current->mm ? OUTCOME_STARTING : OUTCOME_EXITING;
}

/*
 * In the sampled task, before user mode or in its exit, after its mm has gone. The
 * table and the module may be gone by the end: the last step is in
 * profil_table_put_later(), for whose return profil_exit() waits.
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
	give_back(table, item);
	if (is_same_program(&copy.identity))
		profil_lookup_count(table, &copy.identity, copy.pc, copy.kernel,
				    copy.samples);
	else
		profil_table_resolved(table, outcome_of_other(), copy.samples);
	profil_table_put_later(table);
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

void profil_sample_defer(struct table *table, struct half *half,
			 const struct identity *identity, u64 pc, bool kernel)
{
	struct item **last = &table->last[hash_ptr(current, TABLE_LAST_BITS)];
	struct item *item;

	/* data race: the interrupted task may be changing other flags. */
	if (data_race(current->flags) & PF_EXITING) {
		half_count(half, OUTCOME_EXITING, 1);
		return;
	}
	if (join(READ_ONCE(*last), identity, pc, kernel)) {
		half_count(half, OUTCOME_DEFERRED, 1);
		return;
	}
	item = take(table, kernel);
	if (!item) {
		half_count(half, OUTCOME_NO_ITEM, 1);
		return;
	}
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
	if (!profil_task_work_cancel(&item->task, &item->work))
		return;
	profil_table_resolved(table, OUTCOME_CANCELLED, item->samples);
	WRITE_ONCE(item->task, NULL);
	profil_table_put(table);
}

void profil_deferred_cancel(struct table *table)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < ITEMS_OF_CPU; i++)
			cancel(table,
			       &per_cpu_ptr(table->items, cpu)->items[i]);
		cond_resched();
	}
}
