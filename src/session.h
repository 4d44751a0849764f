/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: the profile of one address space.
 *
 * Its life. profil_session_prepare() (START) makes it, or fork.c does for a child;
 * profil_session_register() puts it in the registry, and samples find it there.
 * profil_session_end() may be called by anybody, at any time, in any context: it only
 * says that the session is to end. All else that happens to a session, its work
 * does: pin what samples missed, unpin what the program took away, and in the
 * end take the session apart. So none of these run twice or at the same time.
 * Counters are opened before: by START, or by a forked child before it first
 * runs.
 *
 * References. One is the session's own, dropped at the end of its life; one
 * belongs to its work while that is queued or runs; others to whoever waits.
 * Samples hold none: they are in an RCU section, and in sample.c's slot.
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

/**
 * struct session - see above
 * @node: in the registry or, of a child that does not exist yet, in fork.c's
 *	table; under the lock of either; unhashed before and after
 * @mm: the address space, a reference to the structure only. Constant once the
 *	session is registered; NULL in a session of a child that does not exist
 *	yet
 * @config: what to do. Constant
 * @rcu: samples and probes look at it without a reference
 * @attached: what it needs is attached, see needs.h. Constant
 * @running: samples count. Cleared once
 * @full: a counter at its limit cleared @running
 * @ending: the work is to take the session apart. Set once, after @running
 *	is cleared
 * @published: it was in the registry. Set before it is
 * @counters: the user's counters
 * @tally: what became of samples
 * @pending: samples for the work
 * @lock: a raw one, guards @queued
 * @queued: the work will look at everything that is written before it runs
 * @drained: woken when samples of @pending are decided
 * @ended: the work has taken the session apart
 * @work: the work
 * @spare: where an allocation in fork is not possible, the session of the next
 *	child. Put in before the program can fork, taken by on_dup_mmap()
 * @forking_task: the task whose fork made this session; compared only, never
 *	dereferenced
 * @child_work: has a forked child open the counters before it runs
 * @parent_work: has its parent drop the session of a fork that failed
 * @refs: references
 * @states: those of @counters
 */
struct session {
	struct hlist_node node;
	struct mm_struct *mm;
	struct config *config;
	struct rcu_head rcu;
	bool attached;
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
 * A session of current's mm, not yet published, with its counters open. Takes
 * over the caller's reference to @config, also when it fails.
 */
struct session *profil_session_prepare(struct config *config);

/*
 * From here on it samples. The session that ran before has ended on return.
 * EINTR when a fatal signal is pending; then @session is gone.
 */
int profil_session_publish(struct session *session);

/* STOP: end a session of current's mm and wait until it has ended; EINTR. */
int profil_session_stop(struct session *session);

/* Undo profil_session_prepare(). */
void profil_session_discard(struct session *session);

/*
 * For fork.c: the parts of the two above.
 *
 * profil_session_alloc() makes a session with room for the regions of @config, and
 * profil_session_bind() has it count as @config says, with the regions in the states
 * of @parent, if there is one. It takes over the caller's references to
 * @config and to the module. profil_session_set_mm() is the last before
 * profil_session_register(). None of them sleeps, but for @gfp.
 */
struct session *profil_session_alloc(const struct config *config, gfp_t gfp);
void profil_session_bind(struct session *session, struct config *config,
			 const struct counters *parent);
void profil_session_set_mm(struct session *session, struct mm_struct *mm);

/*
 * From here on it samples; any context. Returns the session of the same mm that
 * it replaces, with a reference for the caller, or NULL.
 */
struct session *profil_session_register(struct session *session);

/* profil_counters_open() for a session; sleeps. */
int profil_session_open_counters(struct session *session, bool inherited);

/* On PREEMPT_RT, have a session ready for the next child. Sleeps. */
void profil_session_replenish_spare(struct session *session);

/*
 * Have the work run; any context. The caller is sure that the memory of
 * @session is there.
 */
void profil_session_queue_work(struct session *session);

/* Say that it is to end; any context. The caller is sure that it exists. */
void profil_session_end(struct session *session);

/* Wait until it has; EINTR when a fatal signal comes first. */
int profil_session_wait_end(struct session *session);

/* Wait until samples taken up to now are decided; EINTR likewise. */
int profil_session_wait_drained(struct session *session);

/*
 * Hard interrupt, in sample.c's slot: a sample at @pc that a region took came to
 * @result. Count it, or have the work do so when the page is there.
 */
void profil_record_sample(struct session *session, u64 pc,
			  enum counter_result result);

void profil_session_put(struct session *session);

/* Around the module's life. */
int profil_session_init(void);
void profil_session_exit(void);

#endif /* PROFIL_SESSION_H */
