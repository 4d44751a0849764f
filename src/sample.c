// SPDX-License-Identifier: GPL-2.0-only
#include <linux/profil.h>
#include <linux/sched/task_stack.h>

#include "books.h"
#include "sample.h"
#include "task_work.h"

/* How often a page may be dropped, or its counter change, before it is counted on */
#define ADD_TRIES 64

/* SVR4: collection ends when one counter reaches its limit. */
static void stop_when_full(struct session *session)
{
	if (!(session->config->flags & PROFIL_F_STOP_AT_32767))
		return;
	WRITE_ONCE(session->full, true);
	WRITE_ONCE(session->running, false);
}

/* Record a sample by the @result of its counter. False: not to be recorded yet. */
static bool sample_record(struct session *session, enum counter_result result)
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

static void record_lost(struct session *session, u32 samples)
{
	atomic64_add(samples, &session->tally.lost);
}

/* Record one deferred sample; false if no counter is to be had. */
static bool record_deferred(struct session *session,
			    const struct region_hit *hit)
{
	struct counters *counters = &session->counters;
	enum counter_result result;
	int tries = ADD_TRIES;

	while ((result = profil_counters_add(counters, hit)) ==
		       COUNTER_ABSENT &&
	       tries--) {
		profil_session_reap(session, false);
		if (!profil_counters_pin_for(counters, hit))
			break;
	}
	return result != COUNTER_ENDED && sample_record(session, result);
}

/* Only a task of the mm can, once the counters of a forked child are open. */
static bool can_pin(struct session *session)
{
	return current->mm == session->mm && /* see profil_counters_watch() */
	       smp_load_acquire(&session->counters.open);
}

/* The @samples deferred at @pc: each is recorded or lost. */
static void drain_pc(struct session *session, u64 pc, u32 samples)
{
	struct region_hit hit;

	region_find(&session->config->map, pc, &hit);
	for (; samples && can_pin(session); samples--) {
		if (!record_deferred(session, &hit))
			break;
		cond_resched();
	}
	record_lost(session, samples);
}

/* Samples are deferred meanwhile, by other threads or here: hence twice. */
void profil_samples_drain_locked(struct session *session)
{
	struct pending *pending = &session->pending;
	u32 rounds, end, samples;
	u64 pc;

	lockdep_assert_held(&session->lock);
	for (rounds = 0; rounds < 2; rounds++) {
		end = READ_ONCE(pending->head);
		while ((samples = pending_take(pending, end, &pc)))
			drain_pc(session, pc, samples);
	}
}

static void drain_and_unlock(struct session *session)
{
	profil_samples_drain_locked(session);
	profil_session_unlock(session);
}

int profil_samples_drain(struct session *session)
{
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	drain_and_unlock(session);
	return 0;
}

/*
 * In the sampled task, before user mode; or, without the mm, in its exit or after
 * execve(). It does not wait for a page that another thread waits for. There is a
 * session while it waits, killable, so no rmmod waits for that. Where the put is the
 * last, profil_exit() waits for its return.
 */
static void run_drain_work(struct callback_head *work)
{
	struct session *session =
		container_of(work, struct session, drain_work);

	book_add(BOOK_TASK_WORKS, -1);
	if (can_pin(session)) {
		if (mutex_trylock(&session->lock))
			drain_and_unlock(session);
		profil_session_replenish_spare(session);
	}
	/* From here on a sample may add the work again. */
	smp_store_release(&session->drain_task, NULL);
	profil_session_put(session);
}

void profil_samples_cancel(struct session *session)
{
	if (!profil_task_work_cancel(&session->drain_task,
				     &session->drain_work))
		return;
	/* Another task may add the work. */
	smp_store_release(&session->drain_task, NULL);
	profil_session_put(session);
}

/*
 * A task that sleeps in a system call keeps the work, until the next sample of
 * another task has the session's work take it back; the sample after that adds it to
 * its own task. An exiting task has no mm when it runs its works. A sample in
 * run_drain_work() adds none, so that a task with slow pages returns to user mode.
 */
void profil_samples_add_work(struct session *session)
{
	struct task_struct *task;

	if (task_is_exiting(current))
		return;
	task = cmpxchg(&session->drain_task, NULL, current);
	if (!task && refcount_inc_not_zero(&session->refs)) {
		init_task_work(&session->drain_work, run_drain_work);
		profil_task_work_add(current, &session->drain_work);
	} else if (task && task != current) {
		WRITE_ONCE(session->contended, true);
		profil_session_queue_work(session);
	}
}

void profil_record_or_defer(struct session *session, u64 pc,
			    enum counter_result result)
{
	if (sample_record(session, result))
		return;
	if (pending_push(&session->pending, pc))
		profil_samples_add_work(session);
	else
		record_lost(session, 1);
}

static void sample_count(struct session *session, u64 pc)
{
	struct region_hit hit;

	if (region_find(&session->config->map, pc, &hit))
		sample_hit(session, pc, &hit);
	else
		atomic64_inc(&session->tally.outside);
}

/* A sample in kernel mode is taken at the PC where the program entered it. */
void profil_sample_other(struct session *session, struct pt_regs *regs)
{
	if (!user_mode(regs)) {
		atomic64_inc(&session->tally.kernel_samples);
		if (session->config->flags & PROFIL_F_USER_ONLY)
			return;
		regs = task_pt_regs(current);
	}
	sample_count(session, instruction_pointer(regs));
}
