// SPDX-License-Identifier: GPL-2.0-only
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

#include "quota.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "slot.h"
#include "totals.h"
#include "worker.h"

/* Dropped pages are unpinned this many at a time. */
#define REAP_BATCH 16

/* How often a page may be dropped between pinning it and counting on it. */
#define ADD_TRIES 8

/* Unpin dropped pages, or all, when no sample can still be writing to them. */
static void reap(struct session *session, bool all)
{
	struct page *pages[REAP_BATCH];
	unsigned int nr;

	do {
		nr = profil_pages_take(&session->counters.pages, pages,
				       REAP_BATCH, all);
		if (!nr)
			break;
		profil_slot_wait(session);
		profil_counters_unpin(&session->counters, session->config,
				      session->mm, pages, nr);
		cond_resched();
	} while (nr == REAP_BATCH);
}

/* Record one deferred sample; false if no counter is to be had. */
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
	return result != COUNTER_ENDED &&
	       profil_record_outcome(session, result);
}

/*
 * The @samples deferred at @pc, in a region and in one mode: each is recorded or
 * lost.
 */
static void drain_pc(struct session *session, u64 pc, bool kernel, u32 samples)
{
	struct region_hit hit;

	region_find(&session->config->map, pc, kernel, &hit);
	while (samples && record_deferred(session, &hit)) {
		samples--;
		cond_resched();
	}
	record_lost(session, samples);
}

static void count_pending_lost(struct session *session)
{
	u32 samples;
	bool kernel;
	u64 pc;

	while ((samples = pending_peek(&session->pending, &pc, &kernel))) {
		record_lost(session, samples);
		pending_pop(&session->pending);
	}
}

static void drain_pending(struct session *session)
{
	u32 samples;
	bool kernel;
	u64 pc;

	while ((samples = pending_peek(&session->pending, &pc, &kernel))) {
		drain_pc(session, pc, kernel, samples);
		pending_pop(&session->pending);
		/* STATS waits for some of these, while more are deferred. */
		if (wq_has_sleeper(&session->drained))
			wake_up_all(&session->drained);
		cond_resched();
	}
}

/*
 * A user whose works all wait for user memory loses samples; other users do
 * not.
 */
static void process_pending(struct session *session)
{
	struct quota *user = session->config->user;

	if (profil_quota_enter_fault(user)) {
		drain_pending(session);
		profil_quota_leave_fault(user);
	} else {
		count_pending_lost(session);
	}
}

/* mm_users is held: the page tables and the memory cgroup are there. */
static void process_in_mm(struct session *session, bool ending)
{
	struct mem_cgroup *memcg = get_mem_cgroup_from_mm(session->mm);
	struct mem_cgroup *old = set_active_memcg(memcg);

	/* Only an opener that is being killed ends its session while it waits. */
	if (smp_load_acquire(&session->to_watch) && !ending)
		profil_session_watch(session);
	/* A child may be opening its counters: see profil_counters_watch(). */
	if (smp_load_acquire(&session->counters.open))
		process_pending(session);
	profil_session_replenish_spare(session);
	set_active_memcg(old);
	mem_cgroup_put(memcg);
}

/*
 * No sample is under way after profil_slot_wait(), nor begins; no callback is
 * under way after profil_counters_detach(). The samples that they deferred have
 * been recorded or lost, so the tally is final. A work that one of them queued
 * meanwhile finds @ended completed.
 */
static void retire(struct session *session)
{
	profil_counters_detach(&session->counters);
	reap(session, true);
	if (session->published && session->config->totals)
		profil_totals_end(session->config->totals, session);
	profil_session_uncharge(session);
	profil_registry_remove(session);
	complete_all(&session->ended);
	profil_session_put(session); /* the reference of the session itself */
}

static void process_session(struct session *session)
{
	/* Pairs with profil_session_end(): @running is false if true. */
	bool ending = smp_load_acquire(&session->ending);

	if (ending)
		profil_slot_wait(session);
	reap(session, false);
	if (mmget_not_zero(session->mm)) {
		process_in_mm(session, ending);
		mmput_async(session->mm);
	}
	if (ending) {
		count_pending_lost(session);
		retire(session);
	}
}

void profil_worker_run(struct work_struct *work)
{
	struct session *session = container_of(work, struct session, work.work);
	struct quota *user = session->config->user;
	bool again;

	xchg(&session->work_state, WORK_RUNS);
	if (!completion_done(&session->ended))
		process_session(session);
	wake_up_all(&session->drained);
	again = cmpxchg(&session->work_state, WORK_RUNS, WORK_IDLE) == WORK_DUE;
	profil_quota_work_done(user);
	if (again)
		profil_quota_queue_work(user, &session->work);
	else
		profil_session_put(session); /* the reference of the work */
}
