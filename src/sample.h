/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: from the interrupt of a clock to the counter of the interrupted program. What
 * most samples need is inline in the clocks; sample.c has the rest.
 *
 * A sample whose counter cannot be written at once is deferred: its PC waits in @pending
 * for a task of the program, which records it by an ordinary page fault: the sampled task,
 * before it returns to user mode, or one in STATS or STOP. In the end each sample is
 * recorded, as a hit or as outside, or lost.
 */
#ifndef PROFIL_SAMPLE_H
#define PROFIL_SAMPLE_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <asm/irq_regs.h>

#include "compat.h"
#include "counter.h"
#include "session.h"
#include "slot.h"

/*
 * Hard interrupt, slot entered: record a sample at @pc, in a region, by the @result of its
 * counter; else defer it, and have current record it; else, without room, lose it.
 */
void profil_record_or_defer(struct session *session, u64 pc,
			    enum counter_result result);

/*
 * Record the samples that were deferred before the call; without the mm lose them. EINTR
 * if a fatal signal comes first. Both sleep, and fault. _locked: with the session's lock.
 */
int profil_samples_drain(struct session *session);
void profil_samples_drain_locked(struct session *session);

/*
 * Have current record deferred samples before user mode, and make a spare session for fork.
 * Any context, in an RCU section.
 */
void profil_samples_add_work(struct session *session);

/*
 * Take the work back from a task that has not begun with it. The caller has a reference.
 * Process context.
 */
void profil_samples_cancel(struct session *session);

/* False for tasks that borrow or share an mm and have no user registers. */
static inline bool sample_has_user_mode(const struct task_struct *task)
{
	/* The interrupted task may be changing other flags. */
	return !(data_race(task->flags) &
		 (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER));
}

/* Slot entered: sample current in any case that sample_at() does not take. */
void profil_sample_other(struct session *session, struct pt_regs *regs);

static __always_inline void sample_hit(struct session *session, u64 pc,
				       const struct region_hit *hit)
{
	enum counter_result result =
		counters_add(&session->counters, session->config, hit);

	if (likely(result == COUNTER_ADDED))
		atomic64_inc(&session->tally.hits);
	else
		profil_record_or_defer(session, pc, result);
}

/* Slot entered, in user mode, counters with a short table */
static __always_inline void sample_at(struct session *session,
				      struct pt_regs *regs)
{
	const struct region_map *map = &session->config->map;
	u64 pc = instruction_pointer(regs);
	const struct region_span *span;
	struct region_hit hit;

	if (likely(region_find_span(map, pc, &span))) {
		region_hit(map, span, pc, &hit);
		sample_hit(session, pc, &hit);
	} else if (region_has_overflow(map)) {
		profil_sample_other(session, regs);
	} else {
		atomic64_inc(&session->tally.outside);
	}
}

/* Hard interrupt: sample current for @session, which a clock serves. */
static __always_inline void sample_session(struct session *session)
{
	struct pt_regs *regs = get_irq_regs();

	if (!regs || !sample_has_user_mode(current))
		return;
	slot_enter(session);
	if (unlikely(!READ_ONCE(session->running)))
		; /* ended */
	else if (likely(user_mode(regs) && session->counters.pages.is_short))
		sample_at(session, regs);
	else
		profil_sample_other(session, regs);
	slot_leave();
}

#endif /* PROFIL_SAMPLE_H */
