// SPDX-License-Identifier: GPL-2.0-only
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "account.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "task_work.h"
#include "timer.h"
#include "user.h"

/* Dropped pages are unpinned this many at a time. */
#define REAP_BATCH 16

/* How often a page may be dropped between pinning it and counting on it. */
#define ADD_TRIES 8

static struct workqueue_struct *workqueue;

static void session_work(struct work_struct *work);

static struct session *session_alloc(const struct config *config, gfp_t gfp)
{
	struct session *session;

	session = kzalloc(struct_size(session, states, config->map.nr_regions),
			  gfp);
	if (!session)
		return NULL;
	INIT_HLIST_NODE(&session->node);
	counters_init(&session->counters, session->states);
	pending_init(&session->pending);
	raw_spin_lock_init(&session->lock);
	init_waitqueue_head(&session->idle);
	INIT_WORK(&session->work, session_work);
	refcount_set(&session->refs, 1);
	return session;
}

/* Takes over the caller's references to @config and to the module. */
static void session_bind(struct session *session, struct config *config,
			 struct mm_struct *mm, const struct counters *parent)
{
	counters_begin(&session->counters, config, parent);
	mmgrab(mm);
	session->mm = mm;
	session->config = config;
	session->running = true;
}

/*
 * Process context. The module may go once the last session has; it waits in
 * profil_session_exit() for a work that stands here.
 */
void session_put(struct session *session)
{
	if (!refcount_dec_and_test(&session->refs))
		return;
	counters_destroy(&session->counters);
	config_put(session->config);
	mmdrop(session->mm);
	kfree(xchg(&session->spare, NULL)); /* unless fork has it */
	kfree_rcu(session, rcu);
	module_put(THIS_MODULE);
}

/*
 * Ask for the work. If it is queued already it will see what the caller has
 * said before; if it runs, it is queued once more. Fork's probe may come when
 * there is nothing left to work on.
 */
static void kick(struct session *session)
{
	unsigned long flags;
	bool queue;

	raw_spin_lock_irqsave(&session->lock, flags);
	queue = !session->queued && refcount_inc_not_zero(&session->refs);
	if (queue) {
		session->queued = true;
		session->works++;
	}
	raw_spin_unlock_irqrestore(&session->lock, flags);
	if (queue)
		queue_work(workqueue, &session->work);
}

static bool busy(struct session *session)
{
	unsigned long flags;
	bool any;

	raw_spin_lock_irqsave(&session->lock, flags);
	any = session->works;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	return any;
}

void session_end(struct session *session)
{
	WRITE_ONCE(session->running, false);
	/* Whoever sees it ending sees that it does not run. */
	smp_store_release(&session->ending, true);
	kick(session);
}

int session_wait_end(struct session *session)
{
	int killed = wait_event_killable(session->idle, !busy(session));

	return killed ? -EINTR : 0;
}

int session_wait_drained(struct session *session)
{
	struct pending *pending = &session->pending;
	u32 position = pending_position(pending);
	int killed = wait_event_killable(session->idle,
					 pending_passed(pending, position));

	return killed ? -EINTR : 0;
}

/*
 * Samples
 */

/* SVR4: one counter at its limit, and no more data is collected. */
static void fill(struct session *session)
{
	if (!(session->config->flags & PROFIL_F_STOP_AT_32767))
		return;
	WRITE_ONCE(session->filled, true);
	WRITE_ONCE(session->running, false);
}

static void lose(struct session *session, u32 samples)
{
	atomic64_add(samples, &session->tally.lost);
}

/* Note what a sample came to; false when it came to nothing yet. */
static bool decide(struct session *session, enum counter_result result)
{
	struct tally *tally = &session->tally;

	switch (result) {
	case COUNTER_WAS_FULL:
		atomic64_inc(&tally->saturated);
		fallthrough;
	case COUNTER_REACHED_FULL:
		fill(session);
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
		kick(session);
	else
		lose(session, 1);
}

void session_decide(struct session *session, u64 pc, enum counter_result result)
{
	if (!decide(session, result))
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

	if (counters_drop(&session->counters, session->config, range,
			  sequence)) {
		sample_wait(session);
		kick(session);
	}
	if (range->event == MMU_NOTIFY_RELEASE)
		session_end(session);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_ops = {
	.invalidate = invalidate,
};

static int open_counters(struct session *session, bool lazy)
{
	return counters_open(&session->counters, session->config, session->mm,
			     &notifier_ops, lazy);
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
		nr = counters_take(&session->counters, pages, REAP_BATCH, all);
		if (!nr)
			break;
		sample_wait(session);
		counters_unpin(&session->counters, session->mm, pages, nr);
		cond_resched();
	} while (nr == REAP_BATCH);
}

/* Count one sample, if its counter can be had. */
static bool settle_one(struct session *session, const struct region_hit *hit)
{
	enum counter_result result;
	int tries = ADD_TRIES;

	do {
		result = counters_add_pinning(&session->counters,
					      session->config, hit);
		if (result == COUNTER_DROPPED)
			reap(session, false);
	} while (result == COUNTER_DROPPED && --tries);
	return result != COUNTER_ENDED && decide(session, result);
}

/* A region took these samples: what no counter gets is lost. */
static void settle(struct session *session, u64 pc, u32 samples)
{
	struct region_hit hit;

	region_find(&session->config->map, pc, &hit);
	while (samples && settle_one(session, &hit)) {
		samples--;
		cond_resched();
	}
	lose(session, samples);
}

static void lose_pending(struct session *session)
{
	u32 samples;
	u64 pc;

	while ((samples = pending_peek(&session->pending, &pc))) {
		lose(session, samples);
		pending_pop(&session->pending);
	}
}

static void settle_pending(struct session *session)
{
	u32 samples;
	u64 pc;

	while ((samples = pending_peek(&session->pending, &pc))) {
		settle(session, pc, samples);
		pending_pop(&session->pending);
		/* STATS waits for some of them, and more may come all the time */
		if (wq_has_sleeper(&session->idle))
			wake_up_all(&session->idle);
		cond_resched();
	}
}

/* A user whose works all wait for user memory loses samples; others do not. */
static void settle_or_lose_pending(struct session *session)
{
	struct user *user = session->config->user;

	if (user_fault_begin(user)) {
		settle_pending(session);
		user_fault_end(user);
	} else {
		lose_pending(session);
	}
}

/* On PREEMPT_RT fork's probe cannot allocate: have the next child's ready. */
static void prepare_spare(struct session *session)
{
	struct session *spare;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT) || READ_ONCE(session->spare))
		return;
	spare = session_alloc(session->config, GFP_KERNEL_ACCOUNT);
	if (spare && cmpxchg(&session->spare, NULL, spare))
		kfree(spare);
}

/* With the mm in use: the page tables and the memory cgroup are there. */
static void work_in_mm(struct session *session)
{
	struct mem_cgroup *memcg = get_mem_cgroup_from_mm(session->mm);
	struct mem_cgroup *old = set_active_memcg(memcg);

	/* A child may be opening them now: see counters_open(). */
	if (smp_load_acquire(&session->counters.open))
		settle_or_lose_pending(session);
	prepare_spare(session);
	set_active_memcg(old);
	mem_cgroup_put(memcg);
}

/*
 * The end. After sample_wait() no sample is under way and none will come;
 * after counters_detach() no callback is. What they left in the ring has been
 * settled or lost, so the tally is final. A work that one of them queued
 * meanwhile finds the session retired.
 */
static void retire(struct session *session)
{
	counters_detach(&session->counters);
	reap(session, true);
	if (session->published && session->config->account)
		account_end(session->config->account, &session->tally);
	if (session->timed)
		timer_put();
	registry_remove(session);
	session->retired = true;
}

static void tend(struct session *session)
{
	/* Pairs with session_end(): then it does not run either. */
	bool ending = smp_load_acquire(&session->ending);

	if (ending)
		sample_wait(session);
	reap(session, false);
	if (mmget_not_zero(session->mm)) {
		work_in_mm(session);
		mmput_async(session->mm);
	}
	if (ending) {
		lose_pending(session);
		retire(session);
	}
}

static void session_work(struct work_struct *work)
{
	struct session *session = container_of(work, struct session, work);
	bool retired = session->retired;

	raw_spin_lock_irq(&session->lock);
	session->queued = false;
	raw_spin_unlock_irq(&session->lock);

	if (!retired)
		tend(session);

	raw_spin_lock_irq(&session->lock);
	session->works--;
	raw_spin_unlock_irq(&session->lock);
	wake_up_all(&session->idle);

	if (session->retired && !retired)
		session_put(session);
	session_put(session);
}

/*
 * Beginnings
 */

static int open_account(struct config *config)
{
	struct account *account;

	if (!config->account_addr)
		return 0;
	account = account_open(config->account_addr, config->max_pinned);
	if (IS_ERR(account))
		return PTR_ERR(account);
	config->account = account;
	return 0;
}

static int open(struct session *session)
{
	int err = open_counters(session, false);

	if (err)
		return err;
	err = open_account(session->config);
	if (err)
		return err;
	if (timer_serves(session->config->period_ns)) {
		err = timer_get();
		session->timed = !err;
	}
	return err;
}

struct session *session_prepare(struct config *config)
{
	struct session *session = session_alloc(config, GFP_KERNEL_ACCOUNT);
	int err;

	if (!session) {
		config_put(config);
		return ERR_PTR(-ENOMEM);
	}
	__module_get(THIS_MODULE); /* an open descriptor holds it, too */
	session_bind(session, config, current->mm, NULL);
	err = open(session);
	if (err) {
		session_discard(session);
		return ERR_PTR(err);
	}
	prepare_spare(session);
	return session;
}

void session_discard(struct session *session)
{
	refcount_inc(&session->refs);
	session_end(session);
	session_wait_end(session);
	session_put(session);
}

static struct session *publish(struct session *session)
{
	session->published = true;
	if (session->config->account)
		account_begin(session->config->account);
	return registry_replace(session);
}

void session_publish(struct session *session)
{
	bool timed = session->timed;
	struct session *old = publish(session);

	/* Another thread may end it from here on. */
	if (timed)
		timer_look();
	if (!old)
		return;
	session_end(old);
	session_wait_end(old);
	session_put(old);
}

/*
 * Forked children
 */

/* Where there is no spare, because there was no memory, the work tries again. */
static struct session *alloc_child(struct session *parent)
{
	gfp_t gfp = GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN;
	struct session *child;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return session_alloc(parent->config, gfp);
	child = xchg(&parent->spare, NULL);
	if (!child)
		kick(parent);
	return child;
}

/* The parent, after the fork: so that its next one finds a spare, too. */
static void refill(struct callback_head *head)
{
	struct session *child = container_of(head, struct session, refill);
	struct session *session = registry_get(current->mm);

	if (session) {
		prepare_spare(session);
		session_put(session);
	}
	session_put(child);
}

/*
 * What the child shares with its parent; false if that has just ended. The
 * config comes last: to put it may sleep, if its parent has done so meanwhile.
 */
static bool adopt(struct session *parent, struct session *child)
{
	if (!try_module_get(THIS_MODULE))
		return false;
	child->timed = parent->timed;
	if (child->timed && !timer_share())
		goto put_module;
	if (config_get(parent->config))
		return true;
	if (child->timed)
		timer_put();
put_module:
	module_put(THIS_MODULE);
	return false;
}

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
		err = open_counters(session, true);
	if (err && err != -EINTR)
		atomic64_inc(&session->tally.missed);
	if (err) {
		session_end(session);
	} else {
		prepare_spare(session);
		/* Samples from now on kick for themselves. */
		if (!pending_empty(&session->pending))
			kick(session);
	}
	session_put(session);
}

void session_fork(struct session *parent, struct task_struct *task)
{
	struct session *child;

	if (!READ_ONCE(parent->running))
		return;
	child = alloc_child(parent);
	if (!child) {
		atomic64_inc(&parent->tally.missed);
		return;
	}
	if (!adopt(parent, child)) {
		kfree_rcu(child, rcu); /* kfree() may sleep on PREEMPT_RT */
		return;
	}
	session_bind(child, parent->config, task->mm, &parent->counters);
	refcount_inc(&child->refs);
	publish(child);
	init_task_work(&child->arrival, arrive);
	profil_task_work_add(task, &child->arrival);
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		refcount_inc(&child->refs);
		init_task_work(&child->refill, refill);
		profil_task_work_add(current, &child->refill);
	}
}

int profil_session_init(void)
{
	/* Some may wait long for their pages: then others still find a place. */
	workqueue = alloc_workqueue("profil", WQ_UNBOUND, WQ_MAX_ACTIVE);
	return workqueue ? 0 : -ENOMEM;
}

/*
 * There is no session any more, or the module would not be here. Wait for works,
 * arrivals and refills that have let go of theirs, and have not returned. These
 * may be preempted, and RCU-tasks is there wherever the tick is hooked.
 */
void profil_session_exit(void)
{
	destroy_workqueue(workqueue);
	synchronize_rcu_tasks();
}
