/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables: counters of the kernel for the whole machine, for a cgroup, or for a tree of
 * processes, by file and offset.
 *
 * A sample finds the key of its PC in the cache of address spaces (space.h), and adds to
 * a counter (half.h). If the key is not there, the sample waits in an item (deferred.h)
 * until its task is about to return to user mode, and looks up its own code (lookup.h).
 *
 * A table ends with its descriptor, for whose mappings the kernel keeps it. Samples and
 * look-ups are RCU readers: the table is removed from the list, or its tree closed, then
 * forgotten by its items, each with a grace period. No sampled program delays these, but
 * on PREEMPT_RT: see run_item().
 */
#ifndef PROFIL_TABLE_H
#define PROFIL_TABLE_H

#include <linux/jump_label.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/profil.h>
#include <linux/sched.h>
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
struct rows;
struct walk;

#define PROFIL_TABLE_FLAGS                                                   \
	(PROFIL_TABLE_CGROUP | PROFIL_TABLE_KERNEL_PCS |                     \
	 PROFIL_TABLE_THREADS | PROFIL_TABLE_TREE | PROFIL_TABLE_ADDRESSES | \
	 PROFIL_TABLE_CALLERS)

#define PROFIL_ADD_FLAGS (PROFIL_ADD_CHILDREN | PROFIL_ADD_ON_EXEC)

#define TABLE_LAST_BITS 8

/* What a table has for each CPU */
struct table_cpu {
	struct outcomes outcomes[2]; /* of samples, in each half */
	struct sample_timer timer; /* if a CPU needs it */
	struct walk *walk; /* memory of walks, with callers; else NULL */
};

/* A table */
struct table {
	/* in profil_tables, while samples are taken, without PROFIL_TABLE_TREE */
	struct list_head node;
	struct half __rcu *half; /* the half in use */
	struct half halves[2]; /* both */
	/* those of both halves, one allocation */
	struct profil_counter *counters;
	/*
	 * PROFIL_TABLE_*. Constant, as are @period_ns, @cgroup, @opener, @has_cgroups,
	 * @has_timers, @rows and @memcg
	 */
	u32 flags;
	u64 period_ns; /* 0 for the tick */
	/* only tasks below it, with a reference; or NULL */
	struct cgroup *cgroup;
	/* with PROFIL_TABLE_TREE the processes that are sampled */
	struct tree tree;
	struct charge charge; /* to the user of @tree, for all but @items */
	/* the credentials of who opened the table, with a reference */
	const struct cred *opener;
	bool has_cgroups; /* who opened the table sees all cgroups */
	struct items *items; /* samples that wait for their task */
	/* the last item of a task, by a hash of the task: a hint */
	struct item *last[1 << TABLE_LAST_BITS];
	struct table_cpu __percpu *cpus; /* for each CPU */
	bool has_timers; /* a CPU needs its timer */
	struct rows *rows; /* of files, with PROFIL_TABLE_CALLERS; else NULL */
	/* pays for names, with a reference; may be NULL */
	struct mem_cgroup *memcg;
	struct mutex lock; /* of commands, one at a time, and of the next three */
	bool active; /* samples are taken */
	u64 waiting; /* samples deferred less those resolved, as of the half taken last */
	u64 sequence; /* number of TAKEs; read at any time */
	wait_queue_head_t readers; /* who polls */
};

/* The tables without PROFIL_TABLE_TREE that take samples; an RCU list */
extern struct list_head profil_tables;
DECLARE_STATIC_KEY_FALSE(profil_tables_active);

/*
 * Check @given, in the documented order, and allocate a table by it, in the state after
 * its last sample. EBUSY when PROFIL_MAX_TABLES exist; EAGAIN when the user has as many
 * sessions as the limit, with PROFIL_TABLE_TREE; ENOMEM. Sleeps.
 */
struct table *profil_table_alloc(const struct profil_table *given);

/* Free a table that no sample and no look-up finds. Sleeps. */
void profil_table_free(struct table *table);

/* Begin to be found by samples, or to be found no more. Sleep. */
void profil_table_publish(struct table *table);
void profil_table_withdraw(struct table *table);

/*
 * What offsets of PCs in the kernel are relative to, so that they do not tell where the
 * kernel is: any function that is not in a module
 */
#define TABLE_KERNEL_BASE ((unsigned long)schedule)

/*
 * The key of a PC in the kernel, without a text. All PCs whose offset does not fit are
 * one; no kernel is as large, and on some processors BPF programs are that far away.
 */
static __always_inline u64 table_kernel_key(unsigned long pc)
{
	s64 offset = pc - TABLE_KERNEL_BASE;

	if (unlikely(offset != (s32)offset))
		offset = S32_MIN;
	return HALF_KERNEL_PC | PROFIL_KEY_KERNEL | (u32)offset;
}

#endif /* PROFIL_TABLE_H */
