/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees: the processes that a table samples (PROFIL_TABLE_TREE). Each is a member of the
 * tree; a process may be a member of several trees, of several users.
 *
 * A member stays over execve(2). It has a reference to the struct pid of its process, so
 * that this address is not reused, and none to a task. Members whose process has ended
 * are removed later, see tree.c.
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

/* The processes that a table samples */
struct tree {
	struct list_head members; /* those not looked at for longest first */
	/* members for children that do not exist yet: fork cannot allocate on PREEMPT_RT */
	struct list_head spares;
	unsigned int nr_members; /* length of @members */
	unsigned int nr_spares; /* length of @spares */
	bool closed; /* no member and no spare is added any more. Set once */
	u64 added; /* members that have been added so far */
	u64 unfollowed; /* children that could not be added */
	u64 dropped; /* members whose program has gained rights */
	/*
	 * the limit of @nr_members. Constant, as are the next three, without the lock of tree.c
	 */
	unsigned int max_members;
	bool is_timed; /* the timer serves the table on some CPU */
	bool sees_all; /* who opened the table may see every program */
	/* charged for the memory of members; may be NULL */
	struct mem_cgroup *memcg;
	/* restores @spares, and removes members that have ended */
	struct work_struct refill_work;
};

/* A process in a tree */
struct member {
	struct hlist_node node; /* in the table of members */
	/* in @tree->members, or in @tree->spares until used */
	struct list_head sibling;
	struct pid *process; /* the process, with a reference */
	/* what its tasks share; compared only */
	const struct signal_struct *signal;
	/* exists until a grace period after the member has left the table */
	struct tree *tree;
	bool follow; /* children that the process forks become members, too */
	/*
	 * the credentials with which a task of the process was last found to be one that who
	 * opened the table may see, with a reference; or NULL
	 */
	const struct cred *checked;
	u64 unsampled_exec; /* the program with this self_exec_id is not sampled; or NO_EXEC */
	/* samples and probes read members without a reference */
	struct rcu_head rcu;
};

#define NO_EXEC U64_MAX

extern struct pointer_table profil_members;

/* No signal_struct is shorter. */
#define SIGNAL_STRIDE 512

/* Members of trees that the timer serves, by what the tasks of a process share */
static __always_inline u64 *tree_timed(const struct signal_struct *signal)
{
	return timed_count(&profil_members, signal, SIGNAL_STRIDE);
}

/* No struct pid is shorter. */
#define PID_STRIDE 64

/* The list with the members of @process, beside others. RCU keeps them. Any context. */
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

/* Have processes been added, and is none of them left? Sleeps. */
bool profil_tree_has_ended(struct tree *tree);

/* Remove all members and spares, and have no others added. Samples may have one. Sleeps. */
void profil_tree_close(struct tree *tree);

#endif /* PROFIL_TREE_H */
