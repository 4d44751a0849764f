// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "clock.h"
#include "config.h"
#include "needs.h"
#include "quota.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "slot.h"
#include "start.h"
#include "timer.h"

static int open_session(struct session *session)
{
	int err = profil_session_open_counters(session, false);

	if (!err)
		err = profil_needs_attach_clocks(session->config->period_ns,
						 BIT(NEED_FORK));
	if (!err)
		profil_session_replenish_spare(session);
	return err;
}

/* Charge the user, and the address space. */
static int start_charge(struct session *session, struct quota *user)
{
	struct quota *space = profil_quota_of_space();

	if (!space)
		return -ENOMEM;
	if (profil_quota_charge_user(user)) {
		if (profil_quota_charge_space(space)) {
			session->space = space;
			return 0;
		}
		quota_uncharge(user, 1);
	}
	profil_quota_put(space);
	return -EAGAIN;
}

struct session *profil_start_prepare(struct config *config)
{
	struct session *session =
		profil_session_alloc(config, GFP_KERNEL_ACCOUNT);
	int err = session ? start_charge(session, config->user) : -ENOMEM;

	if (err) {
		kfree(session);
		profil_config_put(config);
		return ERR_PTR(err);
	}
	__module_get(THIS_MODULE); /* the caller's descriptor has one, too */
	profil_session_bind(session, current->mm, config, NULL);
	err = open_session(session);
	if (!err)
		return session;
	profil_session_discard(session);
	return ERR_PTR(err);
}

/* End a halted session. Of a caller that is being killed deferred samples are lost. */
static int finish(struct session *session)
{
	profil_slot_wait(session);
	profil_samples_drain(session);
	profil_session_end(session);
	return profil_session_wait_end(session);
}

/*
 * fork holds mmap_lock for writing while it copies an address space: held for reading, a
 * session begins and ends before the copy or after it.
 */
int profil_start_publish(struct session *session)
{
	bool is_timed = session->config->is_timed;
	struct session *old;

	if (mmap_read_lock_killable(session->mm)) {
		profil_session_discard(session);
		return -EINTR;
	}
	old = profil_registry_replace(session);
	if (old)
		profil_session_halt(old);
	/* @session may be ended by another thread, and freed, from here on. */
	mmap_read_unlock(current->mm);
	if (is_timed)
		profil_timer_start(NULL);
	if (!old)
		return 0;
	finish(old);
	profil_session_put(old);
	return 0;
}

int profil_stop(struct session *session)
{
	if (mmap_read_lock_killable(session->mm))
		return -EINTR;
	profil_session_halt(session);
	mmap_read_unlock(session->mm);
	return finish(session);
}

/*
 * No sample is under way after profil_slot_wait(), nor begins; no task records any, as the
 * lock is held; no callback is under way after profil_counters_detach(). So the tally is
 * final. A work that one of them queued meanwhile finds @ended completed.
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
 * A task that has the lock may wait for a page. It is not waited for: @postponed asks it to
 * queue the work again. The flag is set before the lock is tried, by a full barrier, and
 * the holder reads it after the unlock: either the lock is free here, or the flag is seen
 * there.
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

void profil_start_work(struct work_struct *work)
{
	struct session *session = container_of(work, struct session, work.work);
	struct quota *user = session->config->user;

	xchg(&session->queued, false);
	if (!completion_done(&session->ended))
		process_session(session);
	profil_quota_work_done(user);
	profil_session_put(session); /* the reference of the work */
}
