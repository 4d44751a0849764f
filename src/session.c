// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "books.h"
#include "quota.h"
#include "session.h"
#include "slot.h"

/* Dropped pages are unpinned this many at a time. */
#define REAP_BATCH 16

static work_func_t run_work; /* constant after profil_session_init() */

DEFINE_PER_CPU(const struct session *, profil_slot);

void profil_slot_wait(const struct session *session)
{
	int cpu;

	smp_mb(); /* pairs with slot_enter() */
	for_each_possible_cpu(cpu)
		smp_cond_load_acquire(per_cpu_ptr(&profil_slot, cpu),
				      VAL != session);
}

struct session *profil_session_alloc(const struct config *config, gfp_t gfp)
{
	struct session *session;

	session = kzalloc(struct_size(session, states, config->map.nr_regions),
			  gfp);
	if (!session)
		return NULL;
	INIT_HLIST_NODE(&session->node);
	pending_init(&session->pending);
	mutex_init(&session->lock);
	init_completion(&session->watched);
	init_completion(&session->ended);
	INIT_WORK(&session->work.work, run_work);
	refcount_set(&session->refs, 1);
	return session;
}

void profil_session_bind(struct session *session, struct mm_struct *mm,
			 struct config *config, const struct counters *parent)
{
	profil_counters_begin(&session->counters, session->states, config,
			      parent);
	mmgrab(mm);
	session->mm = mm;
	session->config = config;
	session->running = true;
	book_add(BOOK_SESSIONS, 1);
}

void profil_session_uncharge(struct session *session)
{
	quota_uncharge(session->config->user, 1);
	profil_quota_uncharge(&session->space);
}

void profil_session_replenish_spare(struct session *session)
{
	struct session *spare;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT) || READ_ONCE(session->spare))
		return;
	spare = profil_session_alloc(session->config, GFP_KERNEL_ACCOUNT);
	if (spare && cmpxchg(&session->spare, NULL, spare))
		kfree(spare);
}

/* profil_works_exit() waits for a work that has not returned from here. */
void profil_session_put(struct session *session)
{
	if (!refcount_dec_and_test(&session->refs))
		return;
	profil_counters_destroy(&session->counters);
	profil_config_put(session->config);
	mmdrop(session->mm);
	kfree(xchg(&session->spare, NULL)); /* NULL if a fork has taken it */
	kfree_rcu(session, rcu);
	book_add(BOOK_SESSIONS, -1);
	module_put(THIS_MODULE);
}

/* A work that is queued will see what the caller wrote before. */
void profil_session_queue_work(struct session *session)
{
	if (!xchg(&session->queued, true) &&
	    refcount_inc_not_zero(&session->refs))
		profil_works_queue(&session->config->user->works,
				   &session->work);
}

void profil_session_halt(struct session *session)
{
	WRITE_ONCE(session->running, false);
}

void profil_session_end(struct session *session)
{
	profil_session_halt(session);
	/* A reader of @ending sees that @running is false. */
	smp_store_release(&session->ending, true);
	profil_session_queue_work(session);
}

/* Either the work gets the lock, or @postponed is seen to be set. */
void profil_session_unlock(struct session *session)
{
	mutex_unlock(&session->lock);
	if (xchg(&session->postponed, false))
		profil_session_queue_work(session);
}

int profil_session_wait_end(struct session *session)
{
	return wait_for_completion_killable(&session->ended) ? -EINTR : 0;
}

void profil_session_discard(struct session *session)
{
	refcount_inc(&session->refs);
	profil_session_end(session);
	profil_session_wait_end(session);
	profil_session_put(session);
}

void profil_session_reap(struct session *session, bool all)
{
	struct page *pages[REAP_BATCH];
	unsigned int nr;

	lockdep_assert_held(&session->lock);
	do {
		nr = profil_pages_take(&session->counters.pages, pages,
				       REAP_BATCH, all);
		if (!nr)
			break;
		profil_slot_wait(session);
		profil_counters_unpin(&session->counters, pages, nr);
		cond_resched();
	} while (nr == REAP_BATCH);
}

/*
 * On return no sample writes to the memory that is about to be unmapped. The caller may be
 * reclaim, or the end of the mm, so all else is left to the work.
 */
static bool session_invalidate(struct mmu_interval_notifier *notifier,
			       const struct mmu_notifier_range *range,
			       unsigned long sequence)
{
	struct session *session =
		container_of(notifier, struct session, counters.notifier);

	if (profil_counters_drop(&session->counters, range, sequence)) {
		profil_slot_wait(session);
		profil_session_queue_work(session);
	}
	if (range->event == MMU_NOTIFY_RELEASE)
		profil_session_end(session);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_ops = {
	.invalidate = session_invalidate,
};

static int insert_notifier(struct session *session)
{
	return profil_counters_watch(&session->counters, session->mm,
				     &notifier_ops);
}

/*
 * The opener, who waits, has the mm; one who is being killed may lose it, and the last
 * reference to the session is the work's then.
 */
void profil_session_watch(struct session *session)
{
	if (!mmget_not_zero(session->mm))
		return;
	session->to_watch = false;
	session->watch_result = insert_notifier(session);
	mmput_async(session->mm);
	complete_all(&session->watched);
}

/*
 * The first notifier of an address space takes all of its locks, and a mutex of the whole
 * machine. A task that holds these may wait for a CPU as long as its scheduling class makes
 * it. So the work inserts the first one; it has no signals, which fail the insertion.
 */
static int session_watch(struct session *session)
{
	int err = -EINTR;

	if (mm_has_notifiers(session->mm))
		err = insert_notifier(session);
	if (err != -EINTR)
		return err;
	smp_store_release(&session->to_watch, true); /* a work may be running */
	profil_session_queue_work(session);
	if (wait_for_completion_killable(&session->watched))
		return -EINTR;
	return session->watch_result;
}

int profil_session_open_counters(struct session *session, bool inherited)
{
	struct counters *counters = &session->counters;
	int err = 0;

	if (inherited)
		err = profil_counters_inherit(counters, session->mm);
	if (!err)
		err = session_watch(session);
	if (err || inherited)
		return err;
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	err = profil_counters_pin_buffers(counters);
	profil_session_unlock(session);
	return err;
}

void profil_session_init(work_func_t work)
{
	run_work = work;
}
