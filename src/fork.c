// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fork. A child has the session that its parent had when the address space was copied,
 * over the counters that have been copied. What other threads of the parent do after the
 * copy does not affect the child.
 *
 * on_dup_mmap(), in the parent's fork, with mmap_lock held for writing: no mapping
 *	changes. Publishes the session of the child's mm, which no task has.
 * on_fork(), in the parent's fork: the child exists, and has not run. Gives it its task
 *	work; and adds it to the trees that follow its parent.
 * child_task_work(), in the child before user mode: opens the counters.
 * parent_task_work(), in the parent before user mode: drops the session if the fork has
 *	failed.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>

#include "books.h"
#include "fork.h"
#include "hook.h"
#include "quota.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "task_work.h"
#include "tree.h"

#ifndef CONFIG_UPROBES
#error "profil needs CONFIG_UPROBES to hook fork at uprobe_dup_mmap()"
#endif

/* No task has had the mm of a fork that failed: no sample has found its session. */
static void parent_task_work(struct callback_head *head)
{
	struct session *child = container_of(head, struct session, parent_work);
	struct session *own = current->mm ? profil_registry_get(current->mm) :
					    NULL;

	book_add(BOOK_TASK_WORKS, -1);
	if (!child->forked) {
		profil_registry_remove(child);
		profil_session_uncharge(child);
		/* The reference of the session itself */
		profil_session_put(child);
	}
	if (own) {
		profil_session_replenish_spare(own);
		profil_session_put(own);
	}
	profil_session_put(child);
}

/* On PREEMPT_RT allocation is not possible here: the spare is used, or asked for. */
static struct session *alloc_child(struct session *parent)
{
	gfp_t gfp = GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN;
	struct session *child;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return profil_session_alloc(parent->config, gfp);
	child = xchg(&parent->spare, NULL);
	if (!child)
		profil_samples_add_work(parent);
	return child;
}

/* The session of a child that is charged to the user of @parent; NULL without room */
static struct session *make_child(struct session *parent)
{
	struct quota *user = parent->config->user;
	struct session *child;

	if (!profil_quota_charge_user(user))
		return NULL;
	child = alloc_child(parent);
	if (!child)
		quota_uncharge(user, 1);
	return child;
}

/*
 * @parent has references to the module and the configuration: no session that runs is
 * ended during a fork of its mm. STOP and START take mmap_lock for that, and after the end
 * of the mm, or in child_task_work(), no other task forks.
 */
static void prepare_child(struct session *parent, struct mm_struct *mm)
{
	struct session *child = make_child(parent);

	if (!child) {
		atomic64_inc(&parent->tally.unprofiled_children);
		return;
	}
	__module_get(THIS_MODULE);
	refcount_inc(&parent->config->users);
	profil_session_bind(child, mm, parent->config, &parent->counters);
	refcount_inc(&child->refs); /* for parent_task_work() */
	profil_registry_replace(child);
	init_task_work(&child->parent_work, parent_task_work);
	profil_task_work_add(current, &child->parent_work);
}

/*
 * Preemption may be off. mmap_lock is held for writing, so the notifier has
 * been called for every unmapping that has begun, and the states of the regions
 * agree with the mappings that are about to be copied.
 */
static __always_inline void on_dup_mmap(struct mm_struct *mm)
{
	struct session *session;

	rcu_read_lock();
	session = registry_find(current->mm);
	if (session && READ_ONCE(session->running))
		prepare_child(session, mm);
	rcu_read_unlock();
}

/* dup_mmap() calls it, with uprobes or without; the second argument is the child's mm. */
DEFINE_HOOK(dup_mmap, "uprobe_dup_mmap", on_dup_mmap(hook_argument(1)));

/*
 * Runs before the child's first instruction, or in its exit. The notifier must be in place
 * before the child can unmap its counters. Else the session ends, and its samples are lost.
 */
static void child_task_work(struct callback_head *head)
{
	struct session *session =
		container_of(head, struct session, child_work);
	int err = -EINTR;

	book_add(BOOK_TASK_WORKS, -1);
	if (current->mm == session->mm)
		err = profil_session_open_counters(session, true);
	if (err) {
		profil_session_end(session);
	} else {
		profil_session_replenish_spare(session);
		profil_samples_drain(session);
	}
	profil_session_put(session);
}

/*
 * In the parent, preemption off, before the child first runs. Threads and vfork children
 * share the mm, and the session.
 */
static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *task)
{
	struct session *session;

	if (thread_group_leader(task))
		profil_tree_fork(task);
	if (!task->mm || task->mm == parent->mm ||
	    pointer_table_empty(&profil_registry))
		return;
	rcu_read_lock();
	session = registry_find(task->mm);
	if (session) {
		session->forked = true;
		refcount_inc(&session->refs); /* for child_task_work() */
		init_task_work(&session->child_work, child_task_work);
		profil_task_work_add(task, &session->child_work);
	}
	rcu_read_unlock();
}

DEFINE_TRACEPOINT_HOOK(fork, sched_process_fork);
