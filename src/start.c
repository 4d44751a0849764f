// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "clock.h"
#include "config.h"
#include "needs.h"
#include "registry.h"
#include "session.h"
#include "start.h"
#include "timer.h"
#include "totals.h"

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

static int open_session(struct session *session, bool attached)
{
	unsigned int needs =
		profil_needs_of(session->config->period_ns, attached);
	int err = profil_session_open_counters(session, false);

	if (err)
		return err;
	err = open_totals(session->config);
	if (err)
		return err;
	err = profil_needs_get(needs);
	if (!err)
		session->needs = needs;
	return err;
}

struct session *profil_start_prepare(struct config *config, bool attached)
{
	struct session *session =
		profil_session_alloc(config, GFP_KERNEL_ACCOUNT);
	int err;

	if (!session) {
		profil_config_put(config);
		return ERR_PTR(-ENOMEM);
	}
	__module_get(THIS_MODULE); /* the caller's descriptor has one, too */
	profil_session_bind(session, config, NULL);
	profil_session_set_mm(session, current->mm);
	err = open_session(session, attached);
	if (err) {
		profil_session_discard(session);
		return ERR_PTR(err);
	}
	profil_session_replenish_spare(session);
	return session;
}

/*
 * fork holds mmap_lock for writing while it copies an address space. mmap_lock
 * held for reading makes a session begin and end before the copy or after it:
 * the counters in the copy are counters as long as the child's session says so.
 */
int profil_start_publish(struct session *session)
{
	bool timed = clock_needs_timer(session->config->period_ns);
	struct session *old;

	if (mmap_read_lock_killable(session->mm)) {
		profil_session_discard(session);
		return -EINTR;
	}
	old = profil_registry_publish(session);
	if (old)
		profil_session_end(old);
	/* @session may be ended by another thread, and freed, from here on. */
	mmap_read_unlock(current->mm);
	if (timed)
		profil_timer_start_running(session);
	if (!old)
		return 0;
	profil_session_wait_end(old);
	profil_session_put(old);
	return 0;
}
