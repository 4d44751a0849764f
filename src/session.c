// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "buffers.h"
#include "session.h"
#include "slot.h"
#include "totals.h"

static struct workqueue_struct *workqueue;
static work_func_t run_work; /* constant after profil_session_init() */

struct session *profil_session_alloc(const struct config *config, gfp_t gfp)
{
	struct session *session;

	session = kzalloc(struct_size(session, states, config->map.nr_regions),
			  gfp);
	if (!session)
		return NULL;
	INIT_HLIST_NODE(&session->node);
	profil_counters_init(&session->counters, session->states);
	pending_init(&session->pending);
	raw_spin_lock_init(&session->lock);
	init_waitqueue_head(&session->drained);
	init_completion(&session->ended);
	INIT_WORK(&session->work, run_work);
	refcount_set(&session->refs, 1);
	return session;
}

void profil_session_bind(struct session *session, struct config *config,
			 const struct counters *parent)
{
	profil_counters_begin(&session->counters, config, parent);
	session->config = config;
	session->running = true;
}

void profil_session_set_mm(struct session *session, struct mm_struct *mm)
{
	mmgrab(mm);
	session->mm = mm;
}

void profil_session_begin(struct session *session)
{
	session->published = true;
	if (session->config->totals)
		profil_totals_begin(session->config->totals);
}

void profil_session_replenish_spare(struct session *session)
{
	struct session *spare;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT) || session->observer ||
	    READ_ONCE(session->spare))
		return;
	spare = profil_session_alloc(session->config, GFP_KERNEL_ACCOUNT);
	if (spare && cmpxchg(&session->spare, NULL, spare))
		kfree(spare);
}

/*
 * The module may be unloaded once the last session has been put;
 * profil_session_exit() waits for a work that has not returned from here.
 */
void profil_session_put(struct session *session)
{
	if (!refcount_dec_and_test(&session->refs))
		return;
	profil_counters_destroy(&session->counters);
	profil_config_put(session->config);
	if (session->mm)
		mmdrop(session->mm);
	kfree(xchg(&session->spare, NULL)); /* NULL if a fork has taken it */
	kfree_rcu(session, rcu);
	module_put(THIS_MODULE);
}

/*
 * A work that is already queued will see what the caller wrote before; a work
 * that runs is queued again. A fork on PREEMPT_RT may find a session whose last
 * reference has just been dropped: hence refcount_inc_not_zero().
 */
void profil_session_queue_work(struct session *session)
{
	unsigned long flags;
	bool queue;

	raw_spin_lock_irqsave(&session->lock, flags);
	queue = !session->queued && refcount_inc_not_zero(&session->refs);
	if (queue)
		session->queued = true;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	if (queue)
		queue_work(workqueue, &session->work);
}

void profil_session_end(struct session *session)
{
	WRITE_ONCE(session->running, false);
	/* A reader of @ending sees that @running is false. */
	smp_store_release(&session->ending, true);
	profil_session_queue_work(session);
}

int profil_session_wait_end(struct session *session)
{
	int killed = wait_for_completion_killable(&session->ended);

	return killed ? -EINTR : 0;
}

int profil_session_wait_drained(struct session *session)
{
	struct pending *pending = &session->pending;
	u32 position = pending_position(pending);
	int killed = wait_event_killable(session->drained,
					 pending_passed(pending, position));

	return killed ? -EINTR : 0;
}

void profil_session_discard(struct session *session)
{
	refcount_inc(&session->refs);
	profil_session_end(session);
	profil_session_wait_end(session);
	profil_session_put(session);
}

/* mmap_lock held for reading excludes a fork: see profil_start_publish(). */
int profil_session_stop(struct session *session)
{
	if (mmap_read_lock_killable(session->mm))
		return -EINTR;
	profil_session_end(session);
	mmap_read_unlock(session->mm);
	return profil_session_wait_end(session);
}

/*
 * On return no sample writes to the memory that is about to be unmapped. The
 * caller may be reclaim, or the end of the mm, so all else is left to the work.
 */
static bool invalidate(struct mmu_interval_notifier *notifier,
		       const struct mmu_notifier_range *range,
		       unsigned long sequence)
{
	struct session *session =
		container_of(notifier, struct session, counters.notifier);

	if (profil_counters_drop(&session->counters, session->config, range,
				 sequence)) {
		profil_slot_wait(session);
		profil_session_queue_work(session);
	}
	if (range->event == MMU_NOTIFY_RELEASE)
		profil_session_end(session);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_ops = {
	.invalidate = invalidate,
};

int profil_session_open_counters(struct session *session, bool inherited)
{
	return profil_buffers_open(&session->counters, session->config,
				   session->mm, &notifier_ops, inherited);
}

int profil_session_init(work_func_t work)
{
	run_work = work;
	/*
	 * fault_quota.c keeps half of the works from waiting for user memory.
	 */
	workqueue = alloc_workqueue("profil", WQ_UNBOUND | WQ_MEM_RECLAIM,
				    WQ_MAX_ACTIVE);
	return workqueue ? 0 : -ENOMEM;
}

/*
 * No session is left, as each holds the module. Wait for works, and for task
 * works of fork.c, that have put the last session and not yet returned. A task
 * work may be preempted: hence RCU-tasks, which every kernel that can preempt
 * it has.
 */
void profil_session_exit(void)
{
	destroy_workqueue(workqueue);
	synchronize_rcu_tasks();
}
