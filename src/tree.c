// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/memcontrol.h>
#include <linux/minmax.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#include "books.h"
#include "process.h"
#include "tree.h"
#include "works.h"

struct pointer_table profil_members;

static DEFINE_RAW_SPINLOCK(lock); /* guards the table, and all trees */

/* Spares of a tree that follows forks. The work refills them when half are used. */
#define SPARES 64

/* Members that are looked at in one section of the lock */
#define PRUNED 32

/* A memory cgroup at its limit delays the work for one attempt to reclaim. */
static struct member *alloc_member(struct tree *tree)
{
	struct mem_cgroup *old = set_active_memcg(tree->memcg);
	struct member *member =
		kzalloc(sizeof(*member), GFP_KERNEL_ACCOUNT | __GFP_NORETRY);

	set_active_memcg(old);
	if (!member)
		return NULL;
	member->tree = tree;
	book_add(BOOK_MEMBERS, 1);
	return member;
}

/*
 * A sample that still finds a removed member compares the address of its process only, and
 * current's process is another one if that address has been reused.
 */
static void free_member(struct member *member)
{
	book_put_pid(member->process);
	book_put_cred(member->checked);
	kfree_rcu(member, rcu);
	book_add(BOOK_MEMBERS, -1);
}

/* False if @tree is closed. */
static bool add_spare(struct tree *tree, struct member *member)
{
	bool closed;

	raw_spin_lock_irq(&lock);
	closed = tree->closed;
	if (!closed) {
		list_add(&member->sibling, &tree->spares);
		WRITE_ONCE(tree->nr_spares, tree->nr_spares + 1);
	}
	raw_spin_unlock_irq(&lock);
	return !closed;
}

/* Bring the spares to their full number, unless @tree is closed. */
static int tree_reserve(struct tree *tree)
{
	while (READ_ONCE(tree->nr_spares) < SPARES) {
		struct member *member = alloc_member(tree);

		if (!member)
			return -ENOMEM;
		if (!add_spare(tree, member)) {
			free_member(member);
			break;
		}
	}
	return 0;
}

static struct member *first_of(struct list_head *members)
{
	return list_first_entry_or_null(members, struct member, sibling);
}

static struct member *take_spare(struct tree *tree)
{
	struct member *member = first_of(&tree->spares);

	lockdep_assert_held(&lock);
	if (!member)
		return NULL;
	list_del(&member->sibling);
	WRITE_ONCE(tree->nr_spares, tree->nr_spares - 1);
	return member;
}

static void tree_insert(struct member *member, struct pid *process, bool follow,
			u64 unsampled_exec)
{
	struct tree *tree = member->tree;
	const struct task_struct *leader;

	lockdep_assert_held(&lock);
	rcu_read_lock();
	leader = pid_task(process, PIDTYPE_TGID);
	member->signal = leader ? leader->signal : NULL;
	rcu_read_unlock();
	member->process = book_get_pid(process);
	member->follow = follow;
	member->unsampled_exec = unsampled_exec;
	list_add_tail(&member->sibling, &tree->members);
	tree->nr_members++;
	tree->added++;
	hlist_add_head_rcu(&member->node, member_bucket(process));
	pointer_table_count(&profil_members, 1);
	if (tree->is_timed)
		timed_add(tree_timed(member->signal), TIMED_TABLE);
}

static void take_out(struct member *member, struct list_head *removed)
{
	lockdep_assert_held(&lock);
	hlist_del_rcu(&member->node);
	pointer_table_count(&profil_members, -1);
	if (member->tree->is_timed)
		timed_add(tree_timed(member->signal), -TIMED_TABLE);
	member->tree->nr_members--;
	list_move(&member->sibling, removed);
}

static void free_members(struct list_head *removed)
{
	struct member *member, *next;

	list_for_each_entry_safe(member, next, removed, sibling) {
		free_member(member);
		cond_resched();
	}
}

/* A process ends when no thread of it is left, and its leader is a zombie. */
static bool has_ended(const struct pid *process)
{
	const struct task_struct *leader;
	bool ended;

	rcu_read_lock();
	leader = pid_task((struct pid *)process, PIDTYPE_TGID);
	ended = !leader || (READ_ONCE(leader->exit_state) &&
			    !atomic_read(&leader->signal->live));
	rcu_read_unlock();
	return ended;
}

/*
 * Look at @nr members or fewer, and remove those that have ended, or all of a closed tree.
 * With @to_first stop at one that runs, which is the next one to be looked at.
 */
static void tree_prune(struct tree *tree, unsigned int nr, bool to_first)
{
	struct member *member;
	LIST_HEAD(removed);

	raw_spin_lock_irq(&lock);
	nr = min(nr, tree->nr_members);
	while (nr-- && (member = first_of(&tree->members))) {
		if (tree->closed || has_ended(member->process))
			take_out(member, &removed);
		else if (!to_first)
			list_move_tail(&member->sibling, &tree->members);
		else
			break;
		if (nr % PRUNED)
			continue;
		raw_spin_unlock_irq(&lock);
		cond_resched();
		raw_spin_lock_irq(&lock);
	}
	raw_spin_unlock_irq(&lock);
	free_members(&removed);
}

void profil_tree_count(struct tree *tree, struct profil_take *take)
{
	tree_prune(tree, UINT_MAX, false);
	raw_spin_lock_irq(&lock);
	take->processes = tree->added;
	take->running = tree->nr_members;
	take->unfollowed = tree->unfollowed;
	take->dropped = tree->dropped;
	raw_spin_unlock_irq(&lock);
}

/* Twice as many are looked at as are added: some run, and stay, and ended ones go. */
static void tree_refill(struct work_struct *work)
{
	struct tree *tree = container_of(work, struct tree, refill_work);

	tree_reserve(tree); /* the next child tries again */
	tree_prune(tree, 2 * SPARES, false);
}

void profil_tree_init(struct tree *tree, unsigned int max_members,
		      bool is_timed, struct mem_cgroup *memcg)
{
	INIT_LIST_HEAD(&tree->members);
	INIT_LIST_HEAD(&tree->spares);
	INIT_WORK(&tree->refill_work, tree_refill);
	tree->max_members = max_members;
	tree->is_timed = is_timed;
	tree->sees_all = profil_process_sees_all(current_cred());
	tree->memcg = memcg;
}

static unsigned int trees_of(const struct pid *process)
{
	const struct member *member;
	unsigned int nr = 0;

	hlist_for_each_entry_rcu(member, member_bucket(process), node,
				 lockdep_is_held(&lock))
		nr += member->process == process;
	return nr;
}

static int tree_check(const struct tree *tree, const struct pid *process,
		      unsigned int max_trees)
{
	if (member_find(tree, process))
		return -EALREADY;
	if (trees_of(process) >= max_trees)
		return -EBUSY;
	return tree->nr_members < tree->max_members ? 0 : -EAGAIN;
}

/* The self_exec_id of a process that has ended does not matter. */
static u64 exec_of(struct pid *process)
{
	const struct task_struct *leader;
	u64 exec;

	rcu_read_lock();
	leader = pid_task(process, PIDTYPE_TGID);
	exec = leader ? READ_ONCE(leader->self_exec_id) : NO_EXEC;
	rcu_read_unlock();
	return exec;
}

int profil_tree_add(struct tree *tree, struct pid *process, u32 flags)
{
	bool follow = flags & PROFIL_ADD_CHILDREN;
	u64 unsampled = flags & PROFIL_ADD_ON_EXEC ? exec_of(process) : NO_EXEC;
	unsigned int max_trees =
		ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE) ?
			UINT_MAX :
			PROFIL_MAX_TREES;
	int err = follow ? tree_reserve(tree) : 0;
	struct member *member = err ? NULL : alloc_member(tree);

	if (!member)
		return -ENOMEM;
	tree_prune(tree, 2 * SPARES, false);
	raw_spin_lock_irq(&lock);
	err = tree_check(tree, process, max_trees);
	if (!err)
		tree_insert(member, process, follow, unsampled);
	raw_spin_unlock_irq(&lock);
	if (err)
		free_member(member);
	return err;
}

/* A child may be in PROFIL_MAX_TREES, or in as many trees as its parent, by root. */
static bool has_room(const struct pid *parent, const struct pid *child)
{
	unsigned int nr = trees_of(child);

	return nr < PROFIL_MAX_TREES || nr < trees_of(parent);
}

/*
 * profil_tree_close() excludes the work under the lock, and cancels it. The PID of a child
 * exists before its fork calls the tracepoint: profil_tree_add() may have added it already.
 */
static void tree_follow(const struct member *parent, struct pid *child)
{
	struct tree *tree = parent->tree;
	struct member *member = NULL;

	if (tree->closed || member_find(tree, child))
		return;
	if (tree->nr_members < tree->max_members &&
	    has_room(parent->process, child))
		member = take_spare(tree);
	if (member)
		tree_insert(member, child, true, parent->unsampled_exec);
	else
		tree->unfollowed++;
	if (!member || tree->nr_spares < SPARES / 2)
		queue_work(profil_tree_workqueue, &tree->refill_work);
}

/* Forks of other programs do not wait for the lock. */
static bool is_followed(const struct pid *process)
{
	const struct member *member;
	bool followed = false;

	if (pointer_table_empty(&profil_members))
		return false;
	rcu_read_lock();
	hlist_for_each_entry_rcu(member, member_bucket(process), node)
		followed |= member->process == process && member->follow;
	rcu_read_unlock();
	return followed;
}

void profil_tree_fork(struct task_struct *child)
{
	const struct pid *process = task_tgid(current);
	const struct member *member;
	unsigned long flags;

	if (!is_followed(process))
		return;
	raw_spin_lock_irqsave(&lock, flags);
	hlist_for_each_entry_rcu(member, member_bucket(process), node,
				 lockdep_is_held(&lock))
		if (member->process == process && member->follow)
			tree_follow(member, task_tgid(child));
	raw_spin_unlock_irqrestore(&lock, flags);
}

/* The member has a reference: no other credentials have the address of these. */
void profil_tree_set_checked(struct tree *tree)
{
	const struct cred *cred = current_real_cred();
	struct pid *process = task_tgid(current);
	struct member *member = member_find(tree, process);
	unsigned long flags;

	if (tree->sees_all || !member || READ_ONCE(member->checked) == cred)
		return;
	book_get_cred(cred);
	raw_spin_lock_irqsave(&lock, flags);
	member = member_find(tree, process);
	if (member)
		cred = xchg(&member->checked, cred);
	raw_spin_unlock_irqrestore(&lock, flags);
	book_put_cred(cred);
}

void profil_tree_drop(struct tree *tree)
{
	struct member *member;
	LIST_HEAD(removed);
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	member = member_find(tree, task_tgid(current));
	if (member) {
		take_out(member, &removed);
		tree->dropped++;
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	if (member)
		free_member(member);
}

bool profil_tree_has_ended(struct tree *tree)
{
	bool ended;

	tree_prune(tree, UINT_MAX, true);
	raw_spin_lock_irq(&lock);
	ended = tree->added && !tree->nr_members && !tree->closed;
	raw_spin_unlock_irq(&lock);
	return ended;
}

void profil_tree_close(struct tree *tree)
{
	LIST_HEAD(spares);

	raw_spin_lock_irq(&lock);
	tree->closed = true;
	list_splice_init(&tree->spares, &spares);
	tree->nr_spares = 0;
	raw_spin_unlock_irq(&lock);
	free_members(&spares);
	tree_prune(tree, UINT_MAX, false);
	cancel_work_sync(&tree->refill_work);
}
