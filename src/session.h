/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: the profile of one address space each, or of those that a descriptor
 * is attached to (observer.h).
 *
 * Life. start.c (START) makes a session, or fork.c for a forked child; both
 * open its counters. profil_registry_publish() makes samples find the session,
 * or profil_observer_publish() that of an attached descriptor.
 * profil_session_end() may be called at any time and in any context: it marks
 * the session as ending and queues its work. The work (worker.c) does all that
 * remains: it counts deferred samples, unpins pages that the program has taken
 * away, and in the end retires the session. None of these run twice or at the
 * same time.
 *
 * References. One is the session's own, dropped when it is retired; one belongs
 * to the work while that is queued or runs; the rest belong to callers that
 * wait. Samples hold none: they are in an RCU section, and in a slot (slot.h).
 */
#ifndef PROFIL_SESSION_H
#define PROFIL_SESSION_H

#include <linux/completion.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "config.h"
#include "counters.h"
#include "pending.h"
#include "tally.h"

struct observer;

/**
 * struct session - a profile
 * @node: in the registry or, for a child that does not exist yet, in the table
 *	of fork.c; under the lock of either; unhashed before and after
 * @mm: the address space that has the counters, by a reference to the structure
 *	only: the one that is profiled, unless @observer is set. Constant once
 *	the session is published; NULL for a child that does not exist yet
 * @observer: the attached descriptor whose targets are profiled, with a
 *	reference until the session is retired, or NULL. Set before the session
 *	is published
 * @config: parameters of START. Constant
 * @rcu: samples and probes read the session without a reference
 * @needs: the attachments that are held, see needs.h. Constant
 * @running: samples count. Cleared once
 * @full: a counter at its limit cleared @running
 * @ending: the work shall retire the session. Set once, after @running is
 *	cleared
 * @published: samples have found the session. Set before they can
 * @counters: the user's counters
 * @tally: outcomes of samples
 * @pending: deferred samples
 * @lock: a raw one, guards @queued
 * @queued: the work will see everything that is written before it runs
 * @drained: woken when samples of @pending have been recorded or lost
 * @ended: the work has retired the session
 * @work: the work, see worker.h
 * @spare: on PREEMPT_RT, where fork cannot allocate, the session of the next
 *	child. Stored before the program can fork, taken by on_dup_mmap()
 * @forking_task: the task whose fork made this session; compared only, never
 *	dereferenced
 * @child_work: task work of a forked child, which opens its counters
 * @parent_work: task work of its parent, which drops the session if the fork
 *	has failed
 * @refs: references
 * @states: the states of the regions, for @counters
 */
struct session {
	struct hlist_node node;
	struct mm_struct *mm;
	struct observer *observer;
	struct config *config;
	struct rcu_head rcu;
	u8 needs;
	bool running;
	bool full;
	bool ending;
	bool published;
	struct counters counters;
	struct tally tally;
	struct pending pending;
	raw_spinlock_t lock;
	bool queued;
	wait_queue_head_t drained;
	struct completion ended;
	struct work_struct work;
	struct session *spare;
	const struct task_struct *forking_task;
	struct callback_head child_work;
	struct callback_head parent_work;
	refcount_t refs;
	u8 states[];
};

/*
 * Allocate a session with room for the regions of @config. Does not sleep, but
 * for @gfp.
 */
struct session *profil_session_alloc(const struct config *config, gfp_t gfp);

/*
 * Have @session count by @config, with the regions in the states of @parent, if
 * not NULL. Takes over the caller's references to @config and to the module.
 * Any context.
 */
void profil_session_bind(struct session *session, struct config *config,
			 const struct counters *parent);

/* The last call before profil_registry_publish(). Any context. */
void profil_session_set_mm(struct session *session, struct mm_struct *mm);

/* Samples are about to find @session: count it in the totals. Any context. */
void profil_session_begin(struct session *session);

/* profil_buffers_open() for the counters of @session. Sleeps. */
int profil_session_open_counters(struct session *session, bool inherited);

/* On PREEMPT_RT, have a session ready for the next child. Sleeps. */
void profil_session_replenish_spare(struct session *session);

/* Drop a reference. Process context. */
void profil_session_put(struct session *session);

/*
 * Queue the work; any context. The caller ensures that the memory of @session
 * exists.
 */
void profil_session_queue_work(struct session *session);

/* Mark @session as ending; any context. The caller ensures that it exists. */
void profil_session_end(struct session *session);

/* Wait until @session has ended; EINTR if a fatal signal comes first. */
int profil_session_wait_end(struct session *session);

/*
 * Wait until the samples deferred before the call have been recorded or lost;
 * EINTR if a fatal signal comes first.
 */
int profil_session_wait_drained(struct session *session);

/* End a session that has not been published, and drop it. Sleeps. */
void profil_session_discard(struct session *session);

/* STOP: end a session of current's mm and wait until it has ended; EINTR. */
int profil_session_stop(struct session *session);

/* Called when the module is loaded; @work is the function of session->work. */
int profil_session_init(work_func_t work);
void profil_session_exit(void);

#endif /* PROFIL_SESSION_H */
