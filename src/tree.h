/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees: the processes that a table samples (PROFIL_TABLE_TREE). Each of them is a
 * member of the tree. A process may be a member of several trees, of several users.
 *
 * A member stays over execve(2). It has a reference to the struct pid of its process,
 * so that this address is not reused, and none to a task: the process may end at any
 * time. Members whose process has ended are removed later, see tree.c.
 */
#ifndef PROFIL_TREE_H
#define PROFIL_TREE_H

#include <linux/list.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "pointer_table.h"

struct cred;
struct mem_cgroup;
struct profil_take;

/**
 * struct tree - the processes that a table samples
 * @members: those not looked at for longest first
 * @spares: members for children that do not exist yet: fork cannot allocate on
 *	PREEMPT_RT
 * @nr_members: length of @members
 * @nr_spares: length of @spares
 * @closed: no member and no spare is added any more. Set once
 * @added: members that have been added so far
 * @unfollowed: children that could not be added
 * @dropped: members whose program has gained rights
 * @max_members: the limit of @nr_members. Constant, as are the next three
 * @is_timed: the timer serves the table on some CPU
 * @sees_all: who opened the table may see every program
 * @memcg: charged for the memory of members; may be NULL
 * @refill_work: restores @spares, and removes members that have ended
 *
 * The lock of tree.c guards all but the last five.
 */
struct tree {
	struct list_head members;
	struct list_head spares;
	unsigned int nr_members;
	unsigned int nr_spares;
	bool closed;
	u64 added;
	u64 unfollowed;
	u64 dropped;
	unsigned int max_members;
	bool is_timed;
	bool sees_all;
	struct mem_cgroup *memcg;
	struct work_struct refill_work;
};

/**
 * struct member - a process in a tree
 * @node: in the table of members
 * @sibling: in @tree->members, or in @tree->spares until used
 * @process: the process, with a reference
 * @signal: what its tasks share; compared only
 * @tree: exists while the member is in the table, and for an RCU grace period after
 *	that
 * @follow: children that the process forks become members, too
 * @checked: the credentials with which a task of the process was last found to be one
 *	that who opened the table may see, with a reference; or NULL
 * @unsampled_exec: the program with this self_exec_id is not sampled;
 *	NO_EXEC: any is
 * @rcu: samples and probes read members without a reference
 */
struct member {
	struct hlist_node node;
	struct list_head sibling;
	struct pid *process;
	const struct signal_struct *signal;
	struct tree *tree;
	bool follow;
	const struct cred *checked;
	u64 unsampled_exec;
	struct rcu_head rcu;
};

#define NO_EXEC U64_MAX

extern struct pointer_table profil_members;

/* The number of members; a hint for the clocks. */
extern unsigned int profil_member_count;

static __always_inline bool member_table_empty(void)
{
	return !READ_ONCE(profil_member_count);
}

/* Members of trees that the timer serves, by what the tasks of a process share */
extern u64 profil_timed_processes[1 << TIMED_BITS];

/* No signal_struct is shorter. */
#define SIGNAL_STRIDE 512

static __always_inline u64 *tree_timed(const struct signal_struct *signal)
{
	return timed_count(profil_timed_processes, signal, SIGNAL_STRIDE);
}

/* No struct pid is shorter. */
#define PID_STRIDE 64

/*
 * The members of @process are in this list, beside others. Any context, in an RCU
 * section, which alone keeps them; with interrupts off the caller is in one.
 */
static __always_inline struct hlist_head *
member_bucket(const struct pid *process)
{
	return pointer_table_bucket(&profil_members, process, PID_STRIDE);
}

/* The member of @tree that @process is, or NULL. As above. */
static inline struct member *member_find(const struct tree *tree,
					 const struct pid *process)
{
	struct member *member;

	hlist_for_each_entry_rcu(member, member_bucket(process), node, true)
		if (member->process == process && member->tree == tree)
			return member;
	return NULL;
}

/* A tree of @max_members at most, for a table that current opens */
void profil_tree_init(struct tree *tree, unsigned int max_members,
		      bool is_timed, struct mem_cgroup *memcg);

/*
 * Add @process by PROFIL_ADD_* @flags. ENOMEM; EALREADY when it is in @tree; EBUSY when
 * it is in PROFIL_MAX_TREES, and current may not add it to more; EAGAIN when @tree has
 * as many members as its limit. Sleeps.
 */
int profil_tree_add(struct tree *tree, struct pid *process, u32 flags);

/*
 * In a look-up: current's process may be seen with its present credentials, or has
 * gained rights, and is not a member of @tree any more. Does not sleep.
 */
void profil_tree_set_checked(struct tree *tree);
void profil_tree_drop(struct tree *tree);

/*
 * In the fork of current: @child, a process that has not run, is added to all trees
 * that follow current's process. Preemption may be off.
 */
void profil_tree_fork(struct task_struct *child);

/* Fill in the numbers of processes, once members that have ended are removed. Sleeps. */
void profil_tree_count(struct tree *tree, struct profil_take *take);

/*
 * True if processes have been added, and none of them is left. Removes ended members
 * up to the first one that runs. Sleeps.
 */
bool profil_tree_has_ended(struct tree *tree);

/*
 * Remove all members and spares, and have no others added. Samples that have found a
 * member are in an RCU section. Sleeps.
 */
void profil_tree_close(struct tree *tree);

#endif /* PROFIL_TREE_H */
