// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "quota.h"
#include "table.h"

LIST_HEAD(profil_tables);
DEFINE_STATIC_KEY_FALSE(profil_tables_active);
static DEFINE_MUTEX(tables_lock); /* guards the writing of profil_tables */
static atomic_t nr_tables; /* open ones without PROFIL_TABLE_TREE */

void profil_table_resolved(struct table *table, enum outcome outcome,
			   u32 samples)
{
	rcu_read_lock();
	table_half_resolved(rcu_dereference(table->half), outcome, samples);
	rcu_read_unlock();
}

/* Bytes of counters that are charged to the user of a tree as a session is */
#define SESSION_BYTES SZ_256K

static size_t counter_bytes(unsigned int log2)
{
	return 2 * sizeof(struct profil_counter) << log2;
}

/*
 * A tree is charged to its user by its size, another table to the machine. @user: in
 * @table
 */
static int charge(struct table *table, unsigned int log2, struct quota **user)
{
	if (!(table->flags & PROFIL_TABLE_TREE))
		return atomic_add_unless(&nr_tables, 1, PROFIL_MAX_TABLES) ?
			       0 :
			       -EBUSY;
	*user = profil_quota_of_user();
	if (!*user)
		return -ENOMEM;
	table->sessions = DIV_ROUND_UP(counter_bytes(log2), SESSION_BYTES);
	if (profil_quota_charge_user(*user, table->sessions))
		return 0;
	profil_quota_put(*user);
	return -EAGAIN;
}

static void uncharge(const struct table *table)
{
	if (!(table->flags & PROFIL_TABLE_TREE)) {
		atomic_dec(&nr_tables);
		return;
	}
	quota_uncharge(table->tree.user, table->sessions);
	profil_quota_put(table->tree.user);
}

/* What a failed profil_table_create() has made is freed, too. */
static void free_table(struct table *table)
{
	profil_half_free(&table->halves[0]);
	profil_half_free(&table->halves[1]);
	vfree(table->counters);
	free_percpu(table->items);
	free_percpu(table->timers);
	if (table->cgroup)
		cgroup_put(table->cgroup);
	put_cred(table->opener);
	mem_cgroup_put(table->memcg);
	uncharge(table);
	kfree(table);
	module_put(THIS_MODULE);
}

static void free_in_work(struct work_struct *work)
{
	free_table(container_of(work, struct table, free_work));
}

void profil_table_put(struct table *table)
{
	if (refcount_dec_and_test(&table->refs))
		free_table(table);
}

void profil_table_put_later(struct table *table)
{
	if (refcount_dec_and_test(&table->refs))
		queue_work(profil_tree_workqueue, &table->free_work);
}

static int alloc_parts(struct table *table, const struct profil_table *given)
{
	struct profil_counter *counters;
	int err, i, failed = 0;

	counters = __vmalloc(counter_bytes(given->counters_log2),
			     GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	table->counters = counters;
	for (i = 0; i < 2; i++) {
		err = profil_half_init(&table->halves[i], given->counters_log2,
				       &table->readers);
		if (err)
			failed = err;
		table->halves[i].counters =
			counters + (i << given->counters_log2);
	}
	return counters ? failed : -ENOMEM;
}

static void init(struct table *table, struct cgroup *cgroup, struct quota *user)
{
	__module_get(THIS_MODULE); /* the caller's descriptor has one, too */
	table->cgroup = cgroup;
	table->opener = get_current_cred();
	table->has_cgroups = !(table->flags & PROFIL_TABLE_TREE) ||
			     current->nsproxy->cgroup_ns ==
				     init_task.nsproxy->cgroup_ns;
	table->memcg = get_mem_cgroup_from_mm(current->mm);
	profil_tree_init(&table->tree, user, table->memcg);
	mutex_init(&table->lock);
	init_waitqueue_head(&table->readers);
	refcount_set(&table->refs, 1);
	INIT_WORK(&table->free_work, free_in_work);
	RCU_INIT_POINTER(table->half, &table->halves[0]);
}

/* A table that is charged, or an error */
static struct table *alloc(const struct profil_table *given,
			   struct quota **user)
{
	struct table *table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	int err;

	if (!table)
		return ERR_PTR(-ENOMEM);
	table->flags = given->flags;
	table->period_ns = given->period_ns;
	err = charge(table, given->counters_log2, user);
	if (!err)
		return table;
	kfree(table);
	return ERR_PTR(err);
}

struct table *profil_table_alloc(const struct profil_table *given,
				 struct cgroup *cgroup)
{
	struct quota *user = NULL;
	struct table *table = alloc(given, &user);
	int err;

	if (IS_ERR(table)) {
		if (cgroup)
			cgroup_put(cgroup);
		return table;
	}
	init(table, cgroup, user);
	err = alloc_parts(table, given);
	if (!err)
		return table;
	profil_table_put(table);
	return ERR_PTR(err);
}

/* Nothing that a user without rights does patches the kernel's text. */
void profil_table_publish(struct table *table)
{
	if (table->flags & PROFIL_TABLE_TREE)
		return; /* members publish it */
	mutex_lock(&tables_lock);
	list_add_tail_rcu(&table->node, &profil_tables);
	mutex_unlock(&tables_lock);
	static_branch_inc(&profil_tables_active);
}

static void remove_from_list(struct table *table)
{
	static_branch_dec(&profil_tables_active);
	mutex_lock(&tables_lock);
	list_del_rcu(&table->node);
	mutex_unlock(&tables_lock);
}

void profil_table_withdraw(struct table *table)
{
	if (table->flags & PROFIL_TABLE_TREE)
		profil_tree_close(&table->tree);
	else
		remove_from_list(table);
	synchronize_rcu();
}
