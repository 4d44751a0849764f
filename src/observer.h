/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observers: open descriptors that are attached to address spaces of other
 * programs (PROFIL_IOC_ATTACH), or for which this was tried.
 *
 * An observer has targets, which target.c finds by the mm of a sampled task, and
 * at most one session, which counts the samples of all targets. The session has
 * its counters in the memory of the program that called START: session->mm is
 * that program's. START replaces the session by one pointer, so a sample falls
 * on the old session or on the new one.
 *
 * References. One is the descriptor's, dropped by profil_observer_release(); one
 * belongs to each session from its publication until it is retired. Samples
 * hold none: they are in an RCU section.
 */
#ifndef PROFIL_OBSERVER_H
#define PROFIL_OBSERVER_H

#include <linux/list.h>
#include <linux/mutex.h>
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
 * @attach_lock: serialises ATTACH on the descriptor
 * @attached: an ATTACH was successful. Set once
 * @follows: the attachment of fork.c is held, for children of targets. Set once
 * @closed: no target and no spare is added any more. Set once, under
 *	profil_target_lock
 * @memcg: memory cgroup of the program that called ATTACH first, charged for
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
	struct mutex attach_lock; /* serialises ATTACH on the descriptor */
	bool attached;
	bool follows;
	bool closed;
	struct mem_cgroup *memcg;
	struct work_struct refill_work;
	refcount_t refs;
	struct rcu_head rcu;
};

/* An observer without targets; NULL without memory. Sleeps. */
struct observer *profil_observer_create(void);

/*
 * Make @mm a target of @observer; @flags are those of ATTACH. EALREADY, EBUSY,
 * ENOMEM; EINTR and the errors of fork's attachment. Sleeps.
 */
int profil_observer_attach(struct observer *observer, struct mm_struct *mm,
			   u32 flags);

/* Has an ATTACH been successful? Its target is seen then. */
static inline bool profil_observer_attached(const struct observer *observer)
{
	/* Pairs with profil_observer_attach(). */
	return smp_load_acquire(&observer->attached);
}

/*
 * START: have @session sample the targets, in place of the present session,
 * which has ended on return. ESRCH when all targets have ended: then @session
 * is gone. Sleeps.
 */
int profil_observer_publish(struct observer *observer, struct session *session);

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
