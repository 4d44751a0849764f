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
 * fork holds mmap_lock for writing while it copies an address space. mmap_lock
 * held for reading makes a session begin and end before the copy or after it:
 * the counters in the copy are counters as long as the child's session says so.
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
		profil_timer_start();
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
