// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/nsproxy.h>
#include <linux/rculist.h>
#include <linux/sched/task.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "books.h"
#include "clock.h"
#include "config.h"
#include "deferred.h"
#include "registry.h"
#include "rows.h"
#include "table.h"
#include "walk.h"

LIST_HEAD(profil_tables);
DEFINE_STATIC_KEY_FALSE(profil_tables_active);
static DEFINE_MUTEX(tables_lock); /* guards the writing of profil_tables */
static atomic_t nr_tables; /* open ones without PROFIL_TABLE_TREE */

/* The limit of the memory for rows, of files of any number of programs, or of a few */
static long max_rows_bytes(u32 flags)
{
	return flags & PROFIL_TABLE_TREE ? SZ_16M : SZ_64M;
}

/* The memory that a table may take, but for its items */
static size_t max_bytes(u32 flags, unsigned int log2)
{
	bool has_callers = flags & PROFIL_TABLE_CALLERS;
	size_t bytes = sizeof(struct table) +
		       2 * profil_half_max_bytes(log2, has_callers) +
		       num_possible_cpus() * sizeof(struct table_cpu);

	if (has_callers)
		bytes += max_rows_bytes(flags) + ROWS_OTHER_BYTES +
			 profil_walks_bytes();
	return bytes;
}

/* A tree is charged to its user by its memory, another table to the machine. */
static int table_charge(struct table *table, unsigned int log2)
{
	if (table->flags & PROFIL_TABLE_TREE)
		return profil_quota_charge(&table->charge,
					   max_bytes(table->flags, log2));
	return atomic_add_unless(&nr_tables, 1, PROFIL_MAX_TABLES) ? 0 : -EBUSY;
}

/* What a failed profil_table_create() has made is freed, too. */
void profil_table_free(struct table *table)
{
	profil_half_free(&table->halves[0]);
	profil_half_free(&table->halves[1]);
	profil_rows_free(table->rows);
	vfree(table->counters);
	if (table->cpus)
		profil_walks_free(table);
	free_percpu(table->cpus);
	profil_deferred_put(table->items);
	if (table->cgroup)
		cgroup_put(table->cgroup);
	book_put_cred(table->opener);
	mem_cgroup_put(table->memcg);
	profil_quota_uncharge(&table->charge);
	if (!(table->flags & PROFIL_TABLE_TREE))
		atomic_dec(&nr_tables);
	kvfree(table);
}

static int alloc_callers(struct table *table)
{
	table->rows = profil_rows_alloc(max_rows_bytes(table->flags));
	return table->rows ? profil_walks_alloc(table) : -ENOMEM;
}

static int alloc_parts(struct table *table, unsigned int log2)
{
	bool has_callers = table->flags & PROFIL_TABLE_CALLERS;
	int err, i, failed = 0;

	table->counters = __vmalloc(2 * half_bytes(log2),
				    GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	table->cpus = alloc_percpu_gfp(struct table_cpu, GFP_KERNEL_ACCOUNT);
	for (i = 0; i < 2; i++) {
		struct half *half = &table->halves[i];

		err = profil_half_init(half, log2, has_callers,
				       &table->readers);
		if (err)
			failed = err;
		half->counters = table->counters + (i << log2);
		half->outcomes = &table->cpus->outcomes[i];
	}
	if (!table->counters || !table->cpus)
		return -ENOMEM;
	if (!failed && has_callers)
		failed = alloc_callers(table);
	return failed ?: profil_deferred_alloc(table);
}

static void table_init(struct table *table, struct cgroup *cgroup,
		       unsigned int log2)
{
	table->cgroup = cgroup;
	table->opener = book_get_cred(current_cred());
	table->has_cgroups = !(table->flags & PROFIL_TABLE_TREE) ||
			     current->nsproxy->cgroup_ns ==
				     init_task.nsproxy->cgroup_ns;
	table->memcg = get_mem_cgroup_from_mm(current->mm);
	table->has_timers = clock_needs_timer(table->period_ns);
	profil_tree_init(&table->tree, 1U << log2, table->has_timers,
			 table->memcg);
	mutex_init(&table->lock);
	init_waitqueue_head(&table->readers);
	RCU_INIT_POINTER(table->half, &table->halves[0]);
}

/* NULL for the whole machine */
static struct cgroup *get_cgroup(const struct profil_table *given)
{
	struct cgroup *cgroup = NULL;

	if (given->flags & PROFIL_TABLE_CGROUP)
		cgroup = cgroup_get_from_fd(given->cgroup);
	/* That of a directory that has been removed is ENOENT. */
	return cgroup == ERR_PTR(-ENOENT) ? ERR_PTR(-EBADF) : cgroup;
}

/* A tree of a size that any user may have, and without PCs in the kernel */
static bool is_for_all(const struct profil_table *given)
{
	return given->flags & PROFIL_TABLE_TREE &&
	       !(given->flags & PROFIL_TABLE_KERNEL_PCS) &&
	       given->counters_log2 <= PROFIL_TREE_MAX_LOG2;
}

/* The rules of perf for events of a CPU, and for those in the kernel */
static int check_permission(const struct profil_table *given)
{
	if (!is_for_all(given) && !perfmon_capable())
		return -EPERM;
	return given->flags & PROFIL_TABLE_KERNEL_PCS ?
		       security_locked_down(LOCKDOWN_PERF) :
		       0;
}

/* frame_mark() is little-endian. */
static bool has_callers(void)
{
	return IS_ENABLED(CONFIG_X86_64) ||
	       (IS_ENABLED(CONFIG_ARM64) && !IS_ENABLED(CONFIG_CPU_BIG_ENDIAN));
}

static u32 max_log2(const struct profil_table *given)
{
	return given->flags & PROFIL_TABLE_CALLERS ? PROFIL_CALLERS_MAX_LOG2 :
						     PROFIL_TABLE_MAX_LOG2;
}

static int check_values(const struct profil_table *given)
{
	const u32 cgroup_or_tree = PROFIL_TABLE_CGROUP | PROFIL_TABLE_TREE;
	int err;

	if (given->flags & ~PROFIL_TABLE_FLAGS ||
	    (given->flags & cgroup_or_tree) == cgroup_or_tree ||
	    given->counters_log2 < PROFIL_TABLE_MIN_LOG2 ||
	    given->counters_log2 > max_log2(given) ||
	    (!(given->flags & PROFIL_TABLE_CGROUP) && given->cgroup != -1))
		return -EINVAL;
	err = profil_config_check_period(given->period_ns);
	if (!err && given->flags & PROFIL_TABLE_CALLERS && !has_callers())
		err = -EOPNOTSUPP;
	return err;
}

struct table *profil_table_alloc(const struct profil_table *given)
{
	int err = check_permission(given) ?: check_values(given);
	struct cgroup *cgroup = err ? ERR_PTR(err) : get_cgroup(given);
	struct table *table;

	if (IS_ERR(cgroup))
		return ERR_CAST(cgroup);
	err = -ENOMEM;
	table = kvzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	if (!table)
		goto put_cgroup;
	table->flags = given->flags;
	table->period_ns = given->period_ns;
	err = table_charge(table, given->counters_log2);
	if (err)
		goto free_table;
	table_init(table, cgroup, given->counters_log2);
	err = alloc_parts(table, given->counters_log2);
	if (!err)
		return table;
	profil_table_free(table);
	return ERR_PTR(err);

free_table:
	kvfree(table);
put_cgroup:
	if (cgroup)
		cgroup_put(cgroup);
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
	if (table->has_timers)
		profil_registry_time_all(true);
}

static void remove_from_list(struct table *table)
{
	if (table->has_timers)
		profil_registry_time_all(false);
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
