// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/sched.h>

#include "deferred.h"
#include "item.h"
#include "lookup.h"
#include "table.h"
#include "task_work.h"

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
	items_give_back(table->items, item);
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
	struct item **last = &table->items->last[hash_ptr(current, LAST_BITS)];
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
	item = items_take(table->items, kernel);
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

	for_each_possible_cpu(cpu)
		for (i = 0; i < ITEMS_OF_CPU; i++)
			cancel(table,
			       &per_cpu_ptr(table->items->cpus, cpu)->items[i]);
}
