// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "item.h"
#include "table.h"

LIST_HEAD(profil_tables);
DEFINE_STATIC_KEY_FALSE(profil_tables_active);
static DEFINE_MUTEX(tables_lock); /* guards the writing of profil_tables */
static unsigned int nr_tables; /* open ones; under tables_lock */

void profil_table_resolved(struct table *table, enum outcome outcome,
			   u32 samples)
{
	rcu_read_lock();
	table_half_resolved(rcu_dereference(table->half), outcome, samples);
	rcu_read_unlock();
}

static bool add_to_open_tables(void)
{
	bool added;

	mutex_lock(&tables_lock);
	added = nr_tables < PROFIL_MAX_TABLES;
	nr_tables += added;
	mutex_unlock(&tables_lock);
	return added;
}

static void remove_from_open_tables(void)
{
	mutex_lock(&tables_lock);
	nr_tables--;
	mutex_unlock(&tables_lock);
}

/* What a failed profil_table_create() has made is freed, too. */
static void free_table(struct table *table)
{
	profil_half_free(&table->halves[0]);
	profil_half_free(&table->halves[1]);
	vfree(table->counters);
	profil_items_free(table->items);
	free_percpu(table->timers);
	if (table->cgroup)
		cgroup_put(table->cgroup);
	mem_cgroup_put(table->memcg);
	kfree(table);
	remove_from_open_tables();
	module_put(THIS_MODULE);
}

void profil_table_put(struct table *table)
{
	if (refcount_dec_and_test(&table->refs))
		free_table(table);
}

static int alloc_parts(struct table *table, const struct profil_table *given)
{
	size_t bytes = sizeof(struct profil_counter) << given->counters_log2;
	struct profil_counter *counters;
	int err, i, failed = 0;

	counters = __vmalloc(2 * bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	table->counters = counters;
	table->items = profil_items_alloc();
	for (i = 0; i < 2; i++) {
		err = profil_half_init(&table->halves[i], given->counters_log2,
				       &table->readers);
		if (err)
			failed = err;
		table->halves[i].counters =
			counters + (i << given->counters_log2);
	}
	return counters && table->items ? failed : -ENOMEM;
}

static struct table *init(const struct profil_table *given,
			  struct cgroup *cgroup)
{
	struct table *table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);

	if (!table)
		return NULL;
	__module_get(THIS_MODULE); /* the caller's descriptor has one, too */
	table->flags = given->flags;
	table->period_ns = given->period_ns;
	table->cgroup = cgroup;
	table->memcg = get_mem_cgroup_from_mm(current->mm);
	mutex_init(&table->lock);
	init_waitqueue_head(&table->readers);
	refcount_set(&table->refs, 1);
	RCU_INIT_POINTER(table->half, &table->halves[0]);
	return table;
}

struct table *profil_table_alloc(const struct profil_table *given,
				 struct cgroup *cgroup)
{
	struct table *table = NULL;
	bool may = add_to_open_tables();
	int err;

	if (may)
		table = init(given, cgroup);
	if (table) {
		err = alloc_parts(table, given);
		if (!err)
			return table;
		profil_table_put(table);
		return ERR_PTR(err);
	}
	if (may)
		remove_from_open_tables();
	if (cgroup)
		cgroup_put(cgroup);
	return ERR_PTR(may ? -ENOMEM : -EBUSY);
}

void profil_table_publish(struct table *table)
{
	mutex_lock(&tables_lock);
	list_add_tail_rcu(&table->node, &profil_tables);
	mutex_unlock(&tables_lock);
	static_branch_inc(&profil_tables_active);
}

void profil_table_withdraw(struct table *table)
{
	static_branch_dec(&profil_tables_active);
	mutex_lock(&tables_lock);
	list_del_rcu(&table->node);
	mutex_unlock(&tables_lock);
	synchronize_rcu();
}
