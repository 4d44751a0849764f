/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables: counters of the kernel for the whole machine, for a cgroup, or for a tree of
 * processes, by file and offset. See half.h, space.h and names.h.
 *
 * A sample finds the key of its PC in the cache of address spaces, and adds to a
 * counter. If the key is not there, the sample waits in an item (deferred.c) until
 * its task is about to return to user mode, and the task looks up its own code.
 *
 * References. One belongs to the descriptor, and one to each item in use. The last
 * one may be dropped by a sampled task, so a table has a reference to the module.
 * Samples have none: a table is removed from the list, or its tree closed, and a grace
 * period waited for, before the descriptor's reference is dropped.
 */
#ifndef PROFIL_TABLE_H
#define PROFIL_TABLE_H

#include <linux/jump_label.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "half.h"
#include "tree.h"

struct cgroup;
struct cpu_items;
struct cred;
struct identity;
struct item;
struct mem_cgroup;
struct sample_timer;

#define PROFIL_TABLE_FLAGS                               \
	(PROFIL_TABLE_CGROUP | PROFIL_TABLE_KERNEL_PCS | \
	 PROFIL_TABLE_THREADS | PROFIL_TABLE_TREE | PROFIL_TABLE_ADDRESSES)

#define PROFIL_ADD_FLAGS (PROFIL_ADD_CHILDREN | PROFIL_ADD_ON_EXEC)

#define TABLE_LAST_BITS 8

/**
 * struct table - a table
 * @node: in profil_tables, while samples are taken, without PROFIL_TABLE_TREE
 * @half: the half in use
 * @halves: both
 * @counters: those of both halves, one allocation
 * @flags: PROFIL_TABLE_*. Constant
 * @period_ns: 0 for the tick. Constant
 * @cgroup: only tasks below it, with a reference; or NULL. Constant
 * @tree: with PROFIL_TABLE_TREE the processes that are sampled
 * @sessions: how many the user of @tree is charged for the table. Constant
 * @opener: the credentials of who opened the table, with a reference. Constant
 * @has_cgroups: who opened the table sees all cgroups. Constant
 * @items: of each CPU, samples that wait for their task
 * @last: the last item of a task, by a hash of the task: a hint
 * @timers: for each CPU, if a CPU needs the timer, else NULL
 * @memcg: pays for names, with a reference; may be NULL
 * @lock: one command at a time
 * @active: samples are taken; under @lock
 * @waiting: samples deferred less those resolved, as of the half taken last; under
 *	@lock
 * @readers: who polls
 * @refs: references
 * @free_work: frees the table, whose last reference a sampled task has dropped
 */
struct table {
	struct list_head node;
	struct half __rcu *half;
	struct half halves[2];
	struct profil_counter *counters;
	u32 flags;
	u64 period_ns;
	struct cgroup *cgroup;
	struct tree tree;
	unsigned int sessions;
	const struct cred *opener;
	bool has_cgroups;
	struct cpu_items __percpu *items;
	struct item *last[1 << TABLE_LAST_BITS];
	struct sample_timer __percpu *timers;
	struct mem_cgroup *memcg;
	struct mutex lock; /* of commands */
	bool active;
	u64 waiting;
	wait_queue_head_t readers;
	refcount_t refs;
	struct work_struct free_work;
};

/* The tables without PROFIL_TABLE_TREE that take samples; an RCU list */
extern struct list_head profil_tables;
DECLARE_STATIC_KEY_FALSE(profil_tables_active);

/* In an RCU section: samples that waited have their outcome. */
static inline void table_half_resolved(struct half *half, enum outcome outcome,
				       u32 samples)
{
	half_count(half, outcome, samples);
	half_count(half, OUTCOME_RESOLVED, samples);
}

/* The same in process context, in the half in use */
void profil_table_resolved(struct table *table, enum outcome outcome,
			   u32 samples);

/* Drop a reference. Sleeps. */
void profil_table_put(struct table *table);

/* The same in a sampled task: a worker frees the table. Any context. */
void profil_table_put_later(struct table *table);

/*
 * Allocate a table, in the state after its last sample, by @given, and take over
 * @cgroup, which may be NULL. EBUSY when PROFIL_MAX_TABLES exist; EAGAIN when the user
 * has as many sessions as the limit, with PROFIL_TABLE_TREE; ENOMEM. Then @cgroup has
 * been put. Sleeps.
 */
struct table *profil_table_alloc(const struct profil_table *given,
				 struct cgroup *cgroup);

/* Begin to be found by samples, or to be found no more. Sleep. */
void profil_table_publish(struct table *table);
void profil_table_withdraw(struct table *table);

/*
 * table_sample.c
 */

/* The tick: sample current for each table that the tick of this CPU serves. */
void profil_tables_tick(void);

/* The tick: sample current for each table that its process is in. The same. */
void profil_members_tick(void);

/*
 * Hard interrupt: sample current for @table. False if current is idle, or in no process
 * of the table's tree.
 */
bool profil_table_sample(struct table *table);

/*
 * deferred.c
 */

/* ENOMEM. Sleeps. */
int profil_deferred_alloc(struct table *table);

/*
 * Hard interrupt: have current look up a sample at @pc, and count it for @table in
 * the end. In @half the sample is counted as deferred, or by the reason for which
 * it cannot be.
 */
void profil_sample_defer(struct table *table, struct half *half,
			 const struct identity *identity, u64 pc, bool kernel);

/*
 * Take back the works of tasks that have not begun with them. No sample of @table
 * is taken any more. Sleeps.
 */
void profil_deferred_cancel(struct table *table);

/*
 * lookup.c. In the sampled task, in process context: count @samples that were taken
 * at @pc, in @kernel mode, in current's address space. @identity is that of current. A
 * table with PROFIL_TABLE_TREE has samples of programs only that its opener may trace.
 * No page fault of the program is handled, and no file read. The wait for mmap_lock
 * ends with a fatal signal. Sleeps.
 */
void profil_lookup_count(struct table *table, const struct identity *identity,
			 u64 pc, bool kernel, u32 samples);

/*
 * table_device.c: descriptors of tables, and their commands PROFIL_TABLE_IOC_*
 */

/*
 * Make a table, see struct profil_table. EPERM without CAP_PERFMON in the initial
 * user namespace, or for PCs in the kernel when that is locked down; EINVAL for
 * unknown flags, a number of counters out of range, a cgroup without its flag, or
 * a period out of range; EACCES for one that is restricted; EBADF for a descriptor
 * that is no directory of cgroup2; EBUSY when PROFIL_MAX_TABLES are open; ENOMEM;
 * or an errno of profil_needs_attach(). Sleeps.
 */
struct table *profil_table_create(const struct profil_table *given);

/* Make a descriptor, and begin to take samples. Takes over @table. Sleeps. */
int profil_table_install(struct table *table);

#endif /* PROFIL_TABLE_H */
