/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: the profile of one address space each.
 *
 * START makes a session, or fork.c for a forked child; both open its counters. From
 * profil_registry_replace() on samples find the session. profil_session_end(), at any
 * time, queues its work, which retires it. The work needs no memory of the program, and
 * does not run twice at a time. Deferred samples: see sample.h.
 *
 * One reference is the session's own, until it is retired, one the work's while that is
 * queued or runs, one that of @drain_task; callers that wait have others. Samples have
 * none: they are in an RCU section, and in a slot (slot.h).
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

/* A sample is in one of @hits, @outside and @lost once it does not wait any more. */
struct tally {
	atomic64_t hits;
	atomic64_t outside;
	atomic64_t lost;
	atomic64_t saturated;
	atomic64_t kernel_samples;
	atomic64_t unprofiled_children;
};

/* A profile */
struct session {
	/* in the registry, under its lock; unhashed before and after */
	struct hlist_node node;
	/*
	 * the address space, a reference to the structure only. Constant, as is the next, once
	 * the session is published
	 */
	struct mm_struct *mm;
	struct config *config; /* parameters of START */
	/* samples and probes read the session without a reference */
	struct rcu_head rcu;
	bool running; /* samples count. Cleared once */
	bool full; /* a counter has reached its limit */
	bool ending; /* the work shall retire the session. Set once, after @running is cleared */
	/*
	 * the work shall insert the notifier of @counters. Set before the work is queued,
	 * cleared by the work
	 */
	bool to_watch;
	int watch_result; /* of that, 0 or an errno */
	/* to the address space, but of a forked child, which has no other session */
	struct charge space;
	struct counters counters; /* the user's counters */
	struct tally tally; /* outcomes of samples */
	struct pending pending; /* deferred samples */
	/* whose holder pins and takes out pages, records samples, or retires the session */
	struct mutex lock;
	bool postponed; /* the work has found @lock held */
	bool contended; /* another task than @drain_task has deferred a sample */
	struct callback_head drain_work; /* task work of @drain_task */
	/*
	 * who shall record deferred samples, until it has. Until then it has not run its works
	 * for the last time, so RCU keeps it
	 */
	struct task_struct *drain_task;
	bool queued; /* the work has not begun to run. Changed by xchg() only */
	struct completion watched; /* @watch_result is that of the work */
	struct completion ended; /* the work has retired the session */
	struct user_work work; /* the work, see device.c */
	/*
	 * on PREEMPT_RT, where fork cannot allocate, the session of the next child. Stored
	 * before the program can fork, taken by on_dup_mmap()
	 */
	struct session *spare;
	bool forked; /* of a forked child, the child exists; for the forking task only */
	/* task work of a forked child, which opens its counters */
	struct callback_head child_work;
	/* task work of its parent, which drops the session if the fork has failed */
	struct callback_head parent_work;
	refcount_t refs;
	u8 states[]; /* the states of the regions, for @counters */
};

/* Allocate a session with room for the regions of @config. Sleeps only by @gfp. */
struct session *profil_session_alloc(const struct config *config, gfp_t gfp);

/*
 * Have @session count the samples of @mm by @config, with the regions in the states of
 * @parent, if not NULL. Takes over the caller's charge of the user, and the references
 * to @config and to the module. Any context.
 */
void profil_session_bind(struct session *session, struct mm_struct *mm,
			 struct config *config, const struct counters *parent);

/* Uncharge the user and the address space, once for each session. */
void profil_session_uncharge(struct session *session);

/* In the work, if @to_watch is set: insert the notifier of the counters. */
void profil_session_watch(struct session *session);

/*
 * Watch the mappings of the counters, then pin what START pins; of counters @inherited by
 * a forked child end the regions that are not mapped. The caller holds mm_users but not
 * mmap_lock. EFAULT when a buffer is unmapped, read-only or cannot be pinned; ENOMEM;
 * EINTR when a fatal signal is pending. Sleeps.
 */
int profil_session_open_counters(struct session *session, bool inherited);

/* Release the lock of @session, and have the work run that has found it held. */
void profil_session_unlock(struct session *session);

/* On PREEMPT_RT, have a session ready for the next child. Sleeps. */
void profil_session_replenish_spare(struct session *session);

/* Drop a reference. Process context. */
void profil_session_put(struct session *session);

/* Queue the work. The memory of @session exists. Any context. */
void profil_session_queue_work(struct session *session);

/* Have @session take no more samples; end it. Process context. */
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

/* When the module is loaded: @work is the function of session->work. */
void profil_session_init(work_func_t work);

#endif /* PROFIL_SESSION_H */
