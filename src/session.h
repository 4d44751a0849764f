/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: the profile of one address space each.
 *
 * Life. start.c (START) makes a session, or fork.c for a forked child; both
 * open its counters. profil_registry_replace() makes samples find the session.
 * profil_session_end() may be called at any time: it marks the session as ending
 * and queues its work. The work (worker.c) does all that needs no memory of the
 * program: it unpins pages that the program has taken away, and in the end retires
 * the session. It never runs twice at the same time. Tasks of the program record
 * deferred samples, see sample.h.
 *
 * References. One is the session's own, dropped when it is retired; one belongs
 * to the work while that is queued or runs, one to @drain_task; the rest belong to
 * callers that wait. Samples hold none: they are in an RCU section, and in a slot
 * (slot.h).
 */
#ifndef PROFIL_SESSION_H
#define PROFIL_SESSION_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/workqueue.h> /* work_func_t */

#include "config.h"
#include "counters.h"
#include "pending.h"
#include "quota.h"

/*
 * The outcomes of samples. A deferred sample is in none of these; once recorded or
 * lost it is in one of @hits, @outside and @lost, so the number of samples is their
 * sum at any moment.
 */
struct tally {
	atomic64_t hits;
	atomic64_t outside;
	atomic64_t lost;
	atomic64_t saturated;
	atomic64_t kernel_samples;
	atomic64_t unprofiled_children;
};

/**
 * struct session - a profile
 * @node: in the registry, under its lock; unhashed before and after
 * @mm: the address space, by a reference to the structure only. Constant once the
 *	session is published
 * @config: parameters of START. Constant
 * @rcu: samples and probes read the session without a reference
 * @running: samples count. Cleared once
 * @full: a counter has reached its limit
 * @ending: the work shall retire the session. Set once, after @running is
 *	cleared
 * @to_watch: the work shall insert the notifier of @counters. Set before the
 *	work is queued, cleared by the work
 * @watch_result: of that, 0 or an errno
 * @space: quota of the address space that has the counters, charged, with a
 *	reference; NULL for a forked child, which has no other session
 * @counters: the user's counters
 * @tally: outcomes of samples
 * @pending: deferred samples
 * @lock: whose holder pins pages, records these, takes dropped pages out, or retires
 *	the session
 * @postponed: the work has found @lock held
 * @drain_work: task work of @drain_task
 * @drain_task: the sampled task that shall record deferred samples, until it has.
 *	Until then it has not run its works for the last time, so RCU keeps it
 * @contended: another task than @drain_task has deferred a sample
 * @queued: the work has not begun to run. Changed by xchg() only
 * @watched: @watch_result is that of the work
 * @ended: the work has retired the session
 * @work: the work, see worker.h
 * @spare: on PREEMPT_RT, where fork cannot allocate, the session of the next
 *	child. Stored before the program can fork, taken by on_dup_mmap()
 * @forked: of a forked child, the child exists; for the forking task only
 * @child_work: task work of a forked child, which opens its counters
 * @parent_work: task work of its parent, which drops the session if the fork
 *	has failed
 * @refs: references
 * @states: the states of the regions, for @counters
 */
struct session {
	struct hlist_node node;
	struct mm_struct *mm;
	struct config *config;
	struct rcu_head rcu;
	bool running;
	bool full;
	bool ending;
	bool to_watch;
	int watch_result;
	struct quota *space;
	struct counters counters;
	struct tally tally;
	struct pending pending;
	struct mutex lock; /* guards the tail of pending, pins and unpins */
	bool postponed;
	bool contended;
	struct callback_head drain_work;
	struct task_struct *drain_task;
	bool queued;
	struct completion watched;
	struct completion ended;
	struct quota_work work;
	struct session *spare;
	bool forked;
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
 * Have @session count the samples of @mm by @config, with the regions in the states of
 * @parent, if not NULL. Takes over the caller's charge of the user, and the references
 * to @config and to the module. Any context.
 */
void profil_session_bind(struct session *session, struct mm_struct *mm,
			 struct config *config, const struct counters *parent);

/*
 * Uncharge the user, and the address space, that the caller of
 * profil_session_bind() has charged. Once for each session.
 */
void profil_session_uncharge(struct session *session);

/* In the work, if @to_watch is set: insert the notifier of the counters. */
void profil_session_watch(struct session *session);

/*
 * Watch the mappings of the counters, then pin those pages that START pins.
 * Of counters @inherited by a forked child pin nothing, but end the regions that
 * are not mapped. The caller holds mm_users but not mmap_lock. EFAULT when a
 * buffer is unmapped, read-only or cannot be pinned; ENOMEM; EINTR when a fatal
 * signal is pending. Sleeps.
 */
int profil_session_open_counters(struct session *session, bool inherited);

/* Release the lock of @session, and have the work run that has found it held. */
void profil_session_unlock(struct session *session);

/* On PREEMPT_RT, have a session ready for the next child. Sleeps. */
void profil_session_replenish_spare(struct session *session);

/* Drop a reference. Process context. */
void profil_session_put(struct session *session);

/*
 * Queue the work; any context. The caller ensures that the memory of @session
 * exists.
 */
void profil_session_queue_work(struct session *session);

/* Have @session take no more samples; end it. It exists. Process context. */
void profil_session_halt(struct session *session);
void profil_session_end(struct session *session);

/* Wait until @session has ended; EINTR if a fatal signal comes first. */
int profil_session_wait_end(struct session *session);

/*
 * Unpin dropped pages, or all, when no sample can still be writing to them. With
 * the lock of @session. Sleeps.
 */
void profil_session_reap(struct session *session, bool all);

/* End a session that has not been published, and drop it. Sleeps. */
void profil_session_discard(struct session *session);

/* Called when the module is loaded; @work is the function of session->work. */
void profil_session_init(work_func_t work);

#endif /* PROFIL_SESSION_H */
