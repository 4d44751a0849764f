// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child has the session that its parent had when its address space was
 * copied, over the counters that it has a copy of.
 *
 *	parent, in fork		on_copy()	mmap_lock held for writing: no
 *						mapping changes. Makes the
 *						child's session.
 *				on_fork()	The child exists, and has not
 *						run. Gives it the session.
 *	child, before user mode	arrive()	Has its counters watched.
 *	parent, before user mode depart()	Drops the session of a fork
 *						that failed.
 *
 * Other threads of the parent may map, unmap, START and STOP from the end of the
 * copy on: none of it reaches the child.
 */
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "attachment.h"
#include "fork.h"
#include "hook.h"
#include "needs.h"
#include "registry.h"
#include "session.h"
#include "task_work.h"
#include "tracepoint.h"

#ifndef CONFIG_UPROBES
#error "CONFIG_UPROBES is needed: fork is hooked at uprobe_dup_mmap()"
#endif

#define COPY_BITS 6

/* Sessions of children that are being made, by the task that forks. */
static struct hlist_head copies[1 << COPY_BITS];
static DEFINE_RAW_SPINLOCK(copies_lock); /* guards copies */

static struct tracepoint *tracepoint;

static void put_copy(struct session *copy)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&copies_lock, flags);
	hlist_add_head(&copy->node, &copies[hash_ptr(copy->forker, COPY_BITS)]);
	raw_spin_unlock_irqrestore(&copies_lock, flags);
}

/* The session that current's fork has made and not yet given to the child. */
static struct session *take_copy(void)
{
	struct hlist_head *bucket = &copies[hash_ptr(current, COPY_BITS)];
	struct session *copy, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&copies_lock, flags);
	hlist_for_each_entry(copy, bucket, node) {
		if (copy->forker != current)
			continue;
		hlist_del_init(&copy->node);
		found = copy;
		break;
	}
	raw_spin_unlock_irqrestore(&copies_lock, flags);
	return found;
}

/*
 * The parent, after the fork. A copy that is still there is one of a fork that
 * failed; its own reference is dropped like that of any session.
 */
static void depart(struct callback_head *head)
{
	struct session *child = container_of(head, struct session, departure);
	struct session *failed = take_copy();
	struct session *own = current->mm ? profil_registry_get(current->mm) :
					    NULL;

	if (failed) {
		profil_needs_put(failed->config->period_ns);
		profil_session_put(failed);
	}
	if (own) {
		profil_session_prepare_spare(own);
		profil_session_put(own);
	}
	profil_session_put(child);
}

/*
 * What the child shares with its parent; false if that has just ended. The
 * config comes last: to put it may sleep, if its parent has done so meanwhile.
 */
static bool share(struct session *parent, struct session *child)
{
	u64 period_ns = parent->config->period_ns;

	if (!try_module_get(THIS_MODULE))
		return false;
	child->attached = profil_needs_share(period_ns);
	if (child->attached && profil_config_get(parent->config))
		return true;
	if (child->attached)
		profil_needs_put(period_ns);
	module_put(THIS_MODULE);
	return false;
}

/*
 * On PREEMPT_RT nothing can be allocated here. If there was no memory for a
 * spare, a later fork has the work of the parent's session try again.
 */
static struct session *alloc_child(struct session *parent)
{
	gfp_t gfp = GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN;
	struct session *child;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return profil_session_alloc(parent->config, gfp);
	child = xchg(&parent->spare, NULL);
	if (!child)
		profil_session_kick(parent);
	return child;
}

static void copy_session(struct session *parent)
{
	struct session *child = alloc_child(parent);

	if (!child) {
		atomic64_inc(&parent->tally.unprofiled_children);
		return;
	}
	if (!share(parent, child)) {
		kfree_rcu(child, rcu); /* kfree() may sleep on PREEMPT_RT */
		return;
	}
	profil_session_bind(child, parent->config, &parent->counters);
	child->forker = current;
	refcount_inc(&child->refs); /* for depart() */
	put_copy(child);
	init_task_work(&child->departure, depart);
	profil_task_work_add(current, &child->departure);
}

/*
 * In the parent, where the copy of its address space begins. mmap_lock is held
 * for writing, so unmappings that have begun have been told to the notifier,
 * and the states of the regions say what is mapped. Preemption may be off.
 */
static __always_inline void on_copy_called(void)
{
	struct session *session;

	rcu_read_lock();
	session = registry_find(current->mm);
	if (session && READ_ONCE(session->running))
		copy_session(session);
	rcu_read_unlock();
}

/* dup_mmap() calls it with mmap_lock held, whether there are uprobes or not. */
DEFINE_HOOK(on_copy, "uprobe_dup_mmap");

/*
 * The child, before its first instruction, or in its end if it gets no further.
 * Its counters must be watched before it can unmap them. If that fails it goes
 * unprofiled: its samples are lost, and it says that it missed its session,
 * unless it is being killed.
 */
static void arrive(struct callback_head *head)
{
	struct session *session = container_of(head, struct session, arrival);
	int err = -EINTR;

	if (current->mm == session->mm)
		err = profil_session_open_counters(session, true);
	if (err && err != -EINTR)
		atomic64_inc(&session->tally.unprofiled_children);
	if (err) {
		profil_session_end(session);
	} else {
		profil_session_prepare_spare(session);
		/* Later samples queue the work themselves. */
		if (!pending_empty(&session->pending))
			profil_session_kick(session);
	}
	profil_session_put(session);
}

/*
 * In the parent, preemption off, after the mm is copied and before the child
 * first runs. Threads and vfork children share the mm, and the session.
 */
static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *task)
{
	struct session *session;

	if (!task->mm || task->mm == parent->mm)
		return;
	session = take_copy();
	if (!session)
		return;
	profil_session_set_mm(session, task->mm);
	refcount_inc(&session->refs); /* for arrive() */
	profil_session_register(session);
	init_task_work(&session->arrival, arrive);
	profil_task_work_add(task, &session->arrival);
}

/* A session that on_copy() makes finds on_fork() there. */
static int fork_attach(void)
{
	int err;

	check_trace_callback_type_sched_process_fork(on_fork);
	err = profil_tracepoint_attach(tracepoint, on_fork);
	if (err)
		return err;
	err = profil_hook_attach(&on_copy_hook, HOOK_DEFAULT);
	if (err)
		profil_tracepoint_detach(tracepoint, on_fork);
	return err;
}

static void fork_detach(void)
{
	profil_hook_detach(&on_copy_hook);
	profil_tracepoint_detach(tracepoint, on_fork);
}

DEFINE_ATTACHMENT(fork);

int profil_fork_init(void)
{
	tracepoint = profil_tracepoint_find("sched_process_fork");
	if (!tracepoint)
		return -ENODEV;
	return profil_hook_find(&on_copy_hook);
}
