/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: the profile of one address space.
 *
 * Its life. session_prepare() (START) or session_fork() makes it; publishing
 * puts it in the registry, and samples find it there. session_end() may be
 * called by anybody, at any time, in any context: it only says that the session
 * is to end. All else that happens to a session, its work does: pin what
 * samples missed, unpin what the program took away, and in the end take the
 * session apart. So none of these run twice or at the same time. Counters are
 * opened before: by START, or by a forked child before it first runs.
 *
 * References. One is the session's own, dropped at the end of its life; one
 * belongs to its work while that is queued or runs; others to whoever waits.
 * Samples hold none: they are in an RCU section, and in sample.c's slot.
 */
#ifndef PROFIL_SESSION_H
#define PROFIL_SESSION_H

#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "config.h"
#include "counters.h"
#include "pending.h"
#include "tally.h"

/**
 * struct session - see above
 * @node: in the registry, under its lock; unhashed before and after
 * @mm: the address space, a reference to the structure only. Constant
 * @config: what to do. Constant
 * @rcu: samples and probes look at it without a reference
 * @timed: the timer clock serves this session too. Constant
 * @running: samples count. Cleared once
 * @filled: a counter at its limit cleared @running
 * @ending: the work is to take the session apart. Set once, after @running
 *	is cleared
 * @retired: it has done so. Used by the work only
 * @published: it was in the registry. Set before it is
 * @counters: the user's counters
 * @tally: what became of samples
 * @pending: samples for the work
 * @lock: a raw one, guards @queued and @works
 * @queued: the work will look at everything that is said before it runs
 * @works: how often it is queued or running
 * @idle: woken when the work has run
 * @work: the work
 * @spare: where an allocation in fork's probe is not possible, the session of
 *	the next child. Put in before the program can fork, taken by the probe
 * @arrival: has a forked child open the counters before it runs
 * @refill: has its parent put in another spare
 * @refs: references
 * @states: those of @counters
 */
struct session {
	struct hlist_node node;
	struct mm_struct *mm;
	struct config *config;
	struct rcu_head rcu;
	bool timed;
	bool running;
	bool filled;
	bool ending;
	bool retired;
	bool published;
	struct counters counters;
	struct tally tally;
	struct pending pending;
	raw_spinlock_t lock;
	bool queued;
	unsigned int works;
	wait_queue_head_t idle;
	struct work_struct work;
	struct session *spare;
	struct callback_head arrival;
	struct callback_head refill;
	refcount_t refs;
	u8 states[];
};

/*
 * A session of current's mm, not yet published, with its counters open. Takes
 * over the caller's reference to @config, also when it fails.
 */
struct session *session_prepare(struct config *config);

/* From here on it samples. The one that ran before has ended on return. */
void session_publish(struct session *session);

/* Undo session_prepare(). */
void session_discard(struct session *session);

/*
 * Fork: @task, the child, which does not run yet, shall be profiled as its
 * parent is. Preemption is off, on PREEMPT_RT nothing can be allocated, and the
 * caller is in an RCU section. A child that gets no session is counted as
 * missed by @parent.
 */
void session_fork(struct session *parent, struct task_struct *task);

/* Say that it is to end; any context. The caller is sure that it exists. */
void session_end(struct session *session);

/* Wait until it has; EINTR when a fatal signal comes first. */
int session_wait_end(struct session *session);

/* Wait until samples taken up to now are decided; EINTR likewise. */
int session_wait_drained(struct session *session);

/*
 * Hard interrupt, in sample.c's slot: a sample at @pc that a region took came to
 * @result. Count it, or have the work do so when the page is there.
 */
void session_decide(struct session *session, u64 pc,
		    enum counter_result result);

void session_put(struct session *session);

/* Around the module's life. */
int profil_session_init(void);
void profil_session_exit(void);

#endif /* PROFIL_SESSION_H */
