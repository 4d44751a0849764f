// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/irq_regs.h>

#include "clock.h"
#include "compat.h"
#include "record.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "slot.h"
#include "target.h"

/* False for tasks that borrow or share an mm and have no user registers. */
static bool has_user_mode(const struct task_struct *task)
{
	/* The interrupted task may be changing other flags. */
	return !(data_race(task->flags) &
		 (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER));
}

/*
 * Fast path: a plain hit. profil_record_or_defer() takes any other outcome.
 * Inline, so that samples in user mode do not test @kernel.
 */
static __always_inline void count_sample(struct session *session, u64 pc,
					 bool kernel)
{
	struct config *config = session->config;
	enum counter_result result;
	struct region_hit hit;

	if (!region_find(&config->map, pc, kernel, &hit)) {
		atomic64_inc(&session->tally.outside);
		return;
	}
	result = counters_add(&session->counters, config, &hit);
	if (likely(result == COUNTER_ADDED))
		atomic64_inc(&session->tally.hits);
	else
		profil_record_or_defer(session, pc, kernel, result);
}

/* A sample in kernel mode is taken at the PC where the program entered it. */
static noinline void take_kernel_sample(struct session *session)
{
	atomic64_inc(&session->tally.kernel_samples);
	if (session->config->flags & PROFIL_F_USER_ONLY)
		return;
	count_sample(session, instruction_pointer(task_pt_regs(current)), true);
}

static noinline void take_sample(struct session *session, struct pt_regs *regs)
{
	if (user_mode(regs))
		count_sample(session, instruction_pointer(regs), false);
	else
		take_kernel_sample(session);
}

/* Inline in both clocks, on the shortest path of each. */
static __always_inline void sample_session(struct session *session)
{
	struct pt_regs *regs = get_irq_regs();
	const struct session **slot;

	if (!regs || !has_user_mode(current))
		return;
	slot = slot_enter(session);
	if (READ_ONCE(session->running))
		take_sample(session, regs);
	slot_leave(slot);
}

static __always_inline void sample_by_tick(struct session *session)
{
	if (session && !clock_timer_period(session))
		sample_session(session);
}

void profil_sample_tick(void)
{
	sample_by_tick(registry_find(current->mm));
}

void profil_sample_attached_tick(void)
{
	sample_by_tick(target_session(current->mm));
}

void profil_sample_timer(struct session *session)
{
	sample_session(session);
}
