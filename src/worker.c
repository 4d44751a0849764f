// SPDX-License-Identifier: GPL-2.0-only
#include "quota.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "slot.h"
#include "worker.h"

/*
 * No sample is under way after profil_slot_wait(), nor begins, nor is a task recording
 * any, as the lock is held; no callback is under way after profil_counters_detach().
 * So the tally is final. A work that one of them queued meanwhile finds @ended
 * completed.
 */
static void retire(struct session *session)
{
	profil_slot_wait(session);
	profil_samples_cancel(session);
	profil_samples_drain_locked(session); /* all are lost */
	profil_counters_detach(&session->counters);
	profil_session_reap(session, true);
	profil_session_uncharge(session);
	profil_registry_remove(session);
	complete_all(&session->ended);
	profil_session_put(session); /* the reference of the session itself */
}

/*
 * A task that has the lock may wait for a page. It is not waited for: @postponed asks it
 * to queue the work again. The flag is set before the lock is tried, by a full barrier,
 * and the holder reads it after the unlock: either the lock is free here, or the flag is
 * seen there. With the lock, nothing is postponed.
 */
static void process_session(struct session *session)
{
	/* Pairs with profil_session_end(): @running is false if true. */
	bool ending = smp_load_acquire(&session->ending);

	/* Pairs with watch(). */
	if (smp_load_acquire(&session->to_watch) && !ending)
		profil_session_watch(session);
	if (xchg(&session->contended, false))
		profil_samples_cancel(session);
	xchg(&session->postponed, true);
	if (!mutex_trylock(&session->lock))
		return;
	WRITE_ONCE(session->postponed, false);
	profil_session_reap(session, false);
	if (ending)
		retire(session);
	mutex_unlock(&session->lock);
}

void profil_worker_run(struct work_struct *work)
{
	struct session *session = container_of(work, struct session, work.work);
	struct quota *user = session->config->user;

	xchg(&session->queued, false);
	if (!completion_done(&session->ended))
		process_session(session);
	profil_quota_work_done(user);
	profil_session_put(session); /* the reference of the work */
}
