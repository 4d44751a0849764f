/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables: counters of the kernel for the whole machine, for a cgroup, or for a tree of
 * processes, by file and offset. See half.h, space.h and names.h.
 *
 * A sample finds the key of its PC in the cache of address spaces, and adds to a
 * counter. If the key is not there, the sample waits in an item (deferred.c) until
 * its task is about to return to user mode, and the task looks up its own code.
 *
 * A table ends with its descriptor, for whose mappings the kernel keeps it. Samples and
 * look-ups are RCU readers: a table is removed from the list, or its tree closed, and
 * the table forgotten by its items (deferred.h), each with a grace period, before its
 * memory is freed. No sampled program delays these, but on
 * PREEMPT_RT: see run_item().
 */
#ifndef PROFIL_TABLE_H
#define PROFIL_TABLE_H

#include <linux/jump_label.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "half.h"
#include "quota.h"
#include "timer.h"
#include "tree.h"

struct cgroup;
struct cred;
struct item;
struct items;
struct mem_cgroup;

#define PROFIL_TABLE_FLAGS                               \
	(PROFIL_TABLE_CGROUP | PROFIL_TABLE_KERNEL_PCS | \
	 PROFIL_TABLE_THREADS | PROFIL_TABLE_TREE | PROFIL_TABLE_ADDRESSES)

#define PROFIL_ADD_FLAGS (PROFIL_ADD_CHILDREN | PROFIL_ADD_ON_EXEC)

#define TABLE_LAST_BITS 8

/**
 * struct table_cpu - what a table has for each CPU
 * @outcomes: of samples, in each half
 * @timer: if a CPU needs it
 */
struct table_cpu {
	struct outcomes outcomes[2];
	struct sample_timer timer;
};

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
 * @charge: to the user of @tree, for all but @items
 * @opener: the credentials of who opened the table, with a reference. Constant
 * @has_cgroups: who opened the table sees all cgroups. Constant
 * @items: samples that wait for their task
 * @last: the last item of a task, by a hash of the task: a hint
 * @cpus: for each CPU
 * @has_timers: a CPU needs its timer. Constant
 * @memcg: pays for names, with a reference; may be NULL
 * @lock: one command at a time
 * @active: samples are taken; under @lock
 * @waiting: samples deferred less those resolved, as of the half taken last; under
 *	@lock
 * @sequence: number of TAKEs; written under @lock
 * @readers: who polls
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
	struct charge charge;
	const struct cred *opener;
	bool has_cgroups;
	struct items *items;
	struct item *last[1 << TABLE_LAST_BITS];
	struct table_cpu __percpu *cpus;
	bool has_timers;
	struct mem_cgroup *memcg;
	struct mutex lock; /* of commands */
	bool active;
	u64 waiting;
	u64 sequence;
	wait_queue_head_t readers;
};

/* The tables without PROFIL_TABLE_TREE that take samples; an RCU list */
extern struct list_head profil_tables;
DECLARE_STATIC_KEY_FALSE(profil_tables_active);

/*
 * Allocate a table, in the state after its last sample, by @given, and take over
 * @cgroup, which may be NULL. EBUSY when PROFIL_MAX_TABLES exist; EAGAIN when the user
 * has as many sessions as the limit, with PROFIL_TABLE_TREE; ENOMEM. Then @cgroup has
 * been put. Sleeps.
 */
struct table *profil_table_alloc(const struct profil_table *given,
				 struct cgroup *cgroup);

/* Free a table that no sample and no look-up finds. Sleeps. */
void profil_table_free(struct table *table);

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
