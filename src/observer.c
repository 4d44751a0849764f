// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/memcontrol.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "clock.h"
#include "needs.h"
#include "observer.h"
#include "session.h"
#include "target.h"
#include "timer.h"

/* Targets are added and looked at by the same work. */
static void refill(struct work_struct *work)
{
	struct observer *observer =
		container_of(work, struct observer, refill_work);

	profil_target_reserve(observer); /* the next child tries again */
	profil_target_prune();
}

struct observer *profil_observer_create(void)
{
	struct observer *observer =
		kzalloc(sizeof(*observer), GFP_KERNEL_ACCOUNT);

	if (!observer)
		return NULL;
	spin_lock_init(&observer->lock);
	INIT_LIST_HEAD(&observer->targets);
	INIT_LIST_HEAD(&observer->spares);
	INIT_WORK(&observer->refill_work, refill);
	observer->memcg = get_mem_cgroup_from_mm(current->mm);
	refcount_set(&observer->refs, 1);
	return observer;
}

static void put(struct observer *observer)
{
	if (!refcount_dec_and_test(&observer->refs))
		return;
	mem_cgroup_put(observer->memcg);
	kfree_rcu(observer, rcu);
}

/* Be called for forks from now on, with targets for children at hand. */
static int follow_forks(struct observer *observer)
{
	return profil_target_reserve(observer) ?:
		       profil_needs_attach(BIT(NEED_FORK));
}

/* Threads of a new target may be running. */
static void start_timers(struct observer *observer)
{
	struct session *session = profil_observer_get_session(observer);

	if (!session)
		return;
	if (clock_needs_timer(session->config->period_ns))
		profil_timer_start(session, true);
	profil_session_put(session);
}

int profil_observer_attach(struct observer *observer, struct mm_struct *mm,
			   bool follow)
{
	int err = follow ? follow_forks(observer) : 0;

	profil_target_prune();
	if (!err)
		err = profil_target_add(observer, mm, follow);
	if (err)
		return err;
	/* Pairs with profil_observer_attached(). */
	smp_store_release(&observer->attached, true);
	start_timers(observer);
	return 0;
}

void profil_observer_bind(struct observer *observer, struct session *session)
{
	refcount_inc(&observer->refs);
	session->observer = observer;
}

struct session *profil_observer_replace(struct session *session)
{
	struct observer *observer = session->observer;
	struct session *old;

	spin_lock(&observer->lock);
	old = rcu_dereference_protected(observer->session,
					lockdep_is_held(&observer->lock));
	if (old)
		refcount_inc(&old->refs);
	rcu_assign_pointer(observer->session, session);
	spin_unlock(&observer->lock);
	return old;
}

/* A session leaves @session before its own reference is dropped. */
struct session *profil_observer_get_session(struct observer *observer)
{
	struct session *session;

	spin_lock(&observer->lock);
	session = rcu_dereference_protected(observer->session,
					    lockdep_is_held(&observer->lock));
	if (session)
		refcount_inc(&session->refs);
	spin_unlock(&observer->lock);
	return session;
}

void profil_observer_remove(struct session *session)
{
	struct observer *observer = session->observer;

	spin_lock(&observer->lock);
	if (rcu_access_pointer(observer->session) == session)
		RCU_INIT_POINTER(observer->session, NULL);
	spin_unlock(&observer->lock);
	put(observer);
}

/*
 * The end may take as long as the server of a file does not answer, in which the
 * counters are. A daemon that closes a descriptor which has been sent to it, or
 * a kernel thread, does not wait for that.
 */
static void end_session(struct session *session)
{
	profil_session_end(session);
	if (session->mm == current->mm)
		profil_session_wait_end(session);
}

/*
 * Without targets no fork queues the work. The session may still be in a
 * sample: it is ended as by STOP.
 */
void profil_observer_release(struct observer *observer)
{
	struct session *session;

	profil_target_remove_all(observer);
	cancel_work_sync(&observer->refill_work);
	session = profil_observer_get_session(observer);
	if (session) {
		end_session(session);
		profil_session_put(session);
	}
	put(observer);
}
