// SPDX-License-Identifier: GPL-2.0-only
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/profil.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "totals.h"
#include "needs.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "timer.h"
#include "fault_quota.h"

/* Dropped pages are unpinned this many at a time. */
#define REAP_BATCH 16

/* How often a page may be dropped between pinning it and counting on it. */
#define ADD_TRIES 8

static struct workqueue_struct *workqueue;

static void session_work(struct work_struct *work);

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
	INIT_WORK(&session->work, session_work);
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

/*
 * Process context. The module may go once the last session has; it waits in
 * profil_session_exit() for a work that stands here.
 */
void profil_session_put(struct session *session)
{
	if (!refcount_dec_and_test(&session->refs))
		return;
	profil_counters_destroy(&session->counters);
	profil_config_put(session->config);
	if (session->mm)
		mmdrop(session->mm);
	kfree(xchg(&session->spare, NULL)); /* unless fork has it */
	kfree_rcu(session, rcu);
	module_put(THIS_MODULE);
}

/*
 * A work that is queued already sees what the caller wrote before; a work that
 * runs is queued once more. The reference is not there any more when a fork on
 * PREEMPT_RT finds a session that has just been freed.
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
	/* A reader of ending sees that running is false. */
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

/*
 * Samples
 */

/* SVR4: one counter at its limit, and no more data is collected. */
static void stop_when_full(struct session *session)
{
	if (!(session->config->flags & PROFIL_F_STOP_AT_32767))
		return;
	WRITE_ONCE(session->full, true);
	WRITE_ONCE(session->running, false);
}

static void count_lost(struct session *session, u32 samples)
{
	atomic64_add(samples, &session->tally.lost);
}

/* Note what a sample came to; false when it came to nothing yet. */
static bool record_outcome(struct session *session, enum counter_result result)
{
	struct tally *tally = &session->tally;

	switch (result) {
	case COUNTER_WAS_FULL:
		atomic64_inc(&tally->saturated);
		fallthrough;
	case COUNTER_REACHED_FULL:
		stop_when_full(session);
		fallthrough;
	case COUNTER_ADDED:
		atomic64_inc(&tally->hits);
		return true;
	case COUNTER_ENDED:
		atomic64_inc(&tally->outside);
		return true;
	default:
		return false;
	}
}

static void defer(struct session *session, u64 pc)
{
	if (pending_push(&session->pending, pc))
		profil_session_queue_work(session);
	else
		count_lost(session, 1);
}

void profil_record_sample(struct session *session, u64 pc,
			  enum counter_result result)
{
	if (!record_outcome(session, result))
		defer(session, pc);
}

/*
 * Changes to the mappings
 */

/*
 * On return nothing is written to what is about to be unmapped. This may be
 * reclaim, or the end of the mm, so the rest is left to the work.
 */
static bool invalidate(struct mmu_interval_notifier *notifier,
		       const struct mmu_notifier_range *range,
		       unsigned long sequence)
{
	struct session *session =
		container_of(notifier, struct session, counters.notifier);

	if (profil_counters_drop(&session->counters, session->config, range,
				 sequence)) {
		profil_sample_wait(session);
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
	return profil_counters_open(&session->counters, session->config,
				    session->mm, &notifier_ops, inherited);
}

/*
 * The work
 */

/* Unpin dropped pages, when no sample can still be writing to them. */
static void reap(struct session *session, bool all)
{
	struct page *pages[REAP_BATCH];
	unsigned int nr;

	do {
		nr = profil_counters_take(&session->counters, pages, REAP_BATCH,
					  all);
		if (!nr)
			break;
		profil_sample_wait(session);
		profil_counters_unpin(&session->counters, session->config,
				      session->mm, pages, nr);
		cond_resched();
	} while (nr == REAP_BATCH);
}

/* Count one sample, if its counter can be had. */
static bool record_deferred(struct session *session,
			    const struct region_hit *hit)
{
	enum counter_result result;
	int tries = ADD_TRIES;

	do {
		result = profil_counters_add_pinning(&session->counters,
						     session->config, hit);
		if (result == COUNTER_DROPPED)
			reap(session, false);
	} while (result == COUNTER_DROPPED && --tries);
	return result != COUNTER_ENDED && record_outcome(session, result);
}

/* A region took these samples: what no counter gets is lost. */
static void drain_pc(struct session *session, u64 pc, u32 samples)
{
	struct region_hit hit;

	region_find(&session->config->map, pc, &hit);
	while (samples && record_deferred(session, &hit)) {
		samples--;
		cond_resched();
	}
	count_lost(session, samples);
}

static void count_pending_lost(struct session *session)
{
	u32 samples;
	u64 pc;

	while ((samples = pending_peek(&session->pending, &pc))) {
		count_lost(session, samples);
		pending_pop(&session->pending);
	}
}

static void drain_pending(struct session *session)
{
	u32 samples;
	u64 pc;

	while ((samples = pending_peek(&session->pending, &pc))) {
		drain_pc(session, pc, samples);
		pending_pop(&session->pending);
		/* STATS waits for some of them, and more may come all the time */
		if (wq_has_sleeper(&session->drained))
			wake_up_all(&session->drained);
		cond_resched();
	}
}

/* A user whose works all wait for user memory loses samples; others do not. */
static void process_pending(struct session *session)
{
	struct fault_quota *quota = session->config->fault_quota;

	if (profil_fault_quota_enter(quota)) {
		drain_pending(session);
		profil_fault_quota_leave(quota);
	} else {
		count_pending_lost(session);
	}
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

/* With the mm in use: the page tables and the memory cgroup are there. */
static void work_in_mm(struct session *session)
{
	struct mem_cgroup *memcg = get_mem_cgroup_from_mm(session->mm);
	struct mem_cgroup *old = set_active_memcg(memcg);

	/* A child may be opening them now: see profil_counters_open(). */
	if (smp_load_acquire(&session->counters.open))
		process_pending(session);
	profil_session_replenish_spare(session);
	set_active_memcg(old);
	mem_cgroup_put(memcg);
}

/*
 * The end. After profil_sample_wait() no sample is under way and none will come;
 * after profil_counters_detach() no callback is. What they left in the ring has been
 * settled or lost, so the tally is final. A work that one of them queued
 * meanwhile finds the session ended.
 */
static void retire(struct session *session)
{
	profil_counters_detach(&session->counters);
	reap(session, true);
	if (session->published && session->config->totals)
		profil_totals_end(session->config->totals, &session->tally);
	if (session->attached)
		profil_needs_put(session->config->period_ns);
	profil_registry_remove(session);
	complete_all(&session->ended);
	profil_session_put(session); /* the session's own */
}

static void process_session(struct session *session)
{
	/* Pairs with profil_session_end(): then it does not run either. */
	bool ending = smp_load_acquire(&session->ending);

	if (ending)
		profil_sample_wait(session);
	reap(session, false);
	if (mmget_not_zero(session->mm)) {
		work_in_mm(session);
		mmput_async(session->mm);
	}
	if (ending) {
		count_pending_lost(session);
		retire(session);
	}
}

static void session_work(struct work_struct *work)
{
	struct session *session = container_of(work, struct session, work);

	raw_spin_lock_irq(&session->lock);
	session->queued = false;
	raw_spin_unlock_irq(&session->lock);

	if (!completion_done(&session->ended))
		process_session(session);
	wake_up_all(&session->drained);
	profil_session_put(session); /* the work's */
}

/*
 * Beginnings
 */

static int open_totals(struct config *config)
{
	struct totals_page *totals;

	if (!config->totals_addr)
		return 0;
	totals = profil_totals_open(config->totals_addr, &config->memlock);
	if (IS_ERR(totals))
		return PTR_ERR(totals);
	config->totals = totals;
	return 0;
}

static int open(struct session *session)
{
	int err = profil_session_open_counters(session, false);

	if (err)
		return err;
	err = open_totals(session->config);
	if (err)
		return err;
	err = profil_needs_get(session->config->period_ns);
	session->attached = !err;
	return err;
}

struct session *profil_session_prepare(struct config *config)
{
	struct session *session =
		profil_session_alloc(config, GFP_KERNEL_ACCOUNT);
	int err;

	if (!session) {
		profil_config_put(config);
		return ERR_PTR(-ENOMEM);
	}
	__module_get(THIS_MODULE); /* an open descriptor holds it, too */
	profil_session_bind(session, config, NULL);
	profil_session_set_mm(session, current->mm);
	err = open(session);
	if (err) {
		profil_session_discard(session);
		return ERR_PTR(err);
	}
	profil_session_replenish_spare(session);
	return session;
}

void profil_session_discard(struct session *session)
{
	refcount_inc(&session->refs);
	profil_session_end(session);
	profil_session_wait_end(session);
	profil_session_put(session);
}

struct session *profil_session_register(struct session *session)
{
	session->published = true;
	if (session->config->totals)
		profil_totals_begin(session->config->totals);
	return profil_registry_replace(session);
}

/*
 * fork holds mmap_lock for writing while it copies an address space. With the
 * lock held for reading, a session begins and ends before the copy or after it:
 * the copy's counters are counters as long as the child's session says so.
 */
int profil_session_publish(struct session *session)
{
	bool timed = profil_timer_needed(session->config->period_ns);
	struct session *old;

	if (mmap_read_lock_killable(session->mm)) {
		profil_session_discard(session);
		return -EINTR;
	}
	old = profil_session_register(session);
	if (old)
		profil_session_end(old);
	/* Another thread may end it, and the memory may go, from here on. */
	mmap_read_unlock(current->mm);
	if (timed)
		profil_timer_start_running();
	if (!old)
		return 0;
	profil_session_wait_end(old);
	profil_session_put(old);
	return 0;
}

int profil_session_stop(struct session *session)
{
	if (mmap_read_lock_killable(session->mm))
		return -EINTR;
	profil_session_end(session);
	mmap_read_unlock(session->mm);
	return profil_session_wait_end(session);
}

int profil_session_init(void)
{
	/* Some may wait long for their pages: then others still find a place. */
	workqueue = alloc_workqueue("profil", WQ_UNBOUND | WQ_MEM_RECLAIM,
				    WQ_MAX_ACTIVE);
	return workqueue ? 0 : -ENOMEM;
}

/*
 * There is no session any more, or the module would not be here. Wait for works,
 * task works of fork.c that have let go of theirs, and have not returned. These
 * may be preempted, and RCU-tasks is there wherever the tick is hooked.
 */
void profil_session_exit(void)
{
	destroy_workqueue(workqueue);
	synchronize_rcu_tasks();
}
