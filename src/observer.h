/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observers: open descriptors, which may be attached to address spaces of other
 * programs (PROFIL_IOC_ATTACH).
 *
 * An observer has targets, which target.c finds by the mm of a sampled task, and
 * at most one session, which counts the samples of all targets. The session has
 * its counters in the memory of the program that called START: session->mm is
 * that program's. START replaces the session by one pointer, so a sample falls
 * on the old session or on the new one.
 *
 * References. One is the descriptor's, dropped by profil_observer_release(); one
 * belongs to each session until that is retired. Samples
 * hold none: they are in an RCU section.
 */
#ifndef PROFIL_OBSERVER_H
#define PROFIL_OBSERVER_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct mem_cgroup;
struct mm_struct;
struct session;

/**
 * struct observer - a descriptor that profiles other programs
 * @session: the session, or NULL. Samples read it under RCU
 * @lock: guards the writing of @session
 * @targets: the targets, in use
 * @spares: targets for children that do not exist yet: fork cannot allocate
 *	on PREEMPT_RT
 * @nr_spares: length of @spares
 * @attached: an ATTACH was successful. Set once
 * @closed: no target and no spare is added any more. Set once, under
 *	profil_target_lock
 * @memcg: memory cgroup of the program that opened the descriptor, charged for
 *	targets
 * @refill_work: restores @spares, and removes targets that have ended
 * @refs: references
 * @rcu: samples and probes read the observer without a reference
 */
struct observer {
	struct session __rcu *session;
	spinlock_t lock; /* guards the writing of session */
	struct list_head targets;
	struct list_head spares;
	unsigned int nr_spares;
	bool attached;
	bool closed;
	struct mem_cgroup *memcg;
	struct work_struct refill_work;
	refcount_t refs;
	struct rcu_head rcu;
};

/* An observer without targets; NULL without memory. Sleeps. */
struct observer *profil_observer_create(void);

/*
 * Make @mm a target of @observer and, if @follow, the children that it forks.
 * EALREADY, EBUSY, ENOMEM; EINTR and the errors of the hook on fork. Sleeps.
 */
int profil_observer_attach(struct observer *observer, struct mm_struct *mm,
			   bool follow);

/* Has an ATTACH been successful? Its target is seen then. */
static inline bool profil_observer_attached(const struct observer *observer)
{
	/* Pairs with profil_observer_attach(). */
	return smp_load_acquire(&observer->attached);
}

/* START: @session will sample the targets. It takes a reference to @observer. */
void profil_observer_bind(struct observer *observer, struct session *session);

/*
 * Have @session sample the targets of its observer. Returns the session that it
 * replaces, with a reference for the caller, or NULL. Process context.
 */
struct session *profil_observer_replace(struct session *session);

/* The session, with a reference, or NULL. Process context. */
struct session *profil_observer_get_session(struct observer *observer);

/*
 * @session has ended: take it from its observer, unless it has been replaced,
 * and drop its reference to the observer.
 */
void profil_observer_remove(struct session *session);

/*
 * The descriptor is closed: remove the targets, and end the session. It has ended
 * on return if its counters are in current's memory. Sleeps.
 */
void profil_observer_release(struct observer *observer);

#endif /* PROFIL_OBSERVER_H */
