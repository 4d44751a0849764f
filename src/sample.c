// SPDX-License-Identifier: GPL-2.0-only
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/irq_regs.h>

#include "compat.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "tick.h"

/*
 * The session that this CPU is sampling now. One slot is enough: tick and
 * timer are hard interrupts and do not nest.
 *
 * A sampler sets its slot, then looks whether the session runs and which pages
 * it has; profil_sample_wait()'s callers first change that, then look at the slots.
 * With a full barrier between the two on either side, a sampler that the
 * waiter does not see sees the change.
 */
static DEFINE_PER_CPU(const struct session *, sampling);

void profil_sample_wait(const struct session *session)
{
	int cpu;

	smp_mb(); /* see sampling */
	for_each_possible_cpu(cpu)
		smp_cond_load_acquire(per_cpu_ptr(&sampling, cpu),
				      VAL != session);
}

/* Not so tasks that borrow or share an mm and have no user registers. */
static bool has_user_mode(const struct task_struct *task)
{
	/* The interrupted task may be changing other flags. */
	return !(data_race(task->flags) &
		 (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER));
}

/* What is not simply a hit is for the session to decide, now or later. */
static void count_sample(struct session *session, u64 pc)
{
	struct config *config = session->config;
	enum counter_result result;
	struct region_hit hit;

	if (!region_find(&config->map, pc, &hit)) {
		atomic64_inc(&session->tally.outside);
		return;
	}
	result = counters_add(&session->counters, config, &hit);
	if (likely(result == COUNTER_ADDED))
		atomic64_inc(&session->tally.hits);
	else
		profil_record_sample(session, pc, result);
}

/*
 * Time in the kernel is charged to where the program entered it, as every
 * manual has it.
 */
static void take_sample(struct session *session, struct pt_regs *regs)
{
	if (!user_mode(regs)) {
		atomic64_inc(&session->tally.kernel_samples);
		if (session->config->flags & PROFIL_F_USER_ONLY)
			return;
		regs = task_pt_regs(current);
	}
	count_sample(session, instruction_pointer(regs));
}

/* Inline in both clocks, which have it on their shortest way. */
static __always_inline void sample_session(struct session *session)
{
	const struct session **slot = this_cpu_ptr(&sampling);
	struct pt_regs *regs = get_irq_regs();

	if (!regs || !has_user_mode(current))
		return;
	WRITE_ONCE(*slot, session); /* other CPUs read it all the time */
	smp_mb(); /* see sampling */
	if (READ_ONCE(session->running))
		take_sample(session, regs);
	smp_store_release(slot, NULL); /* all is written */
}

void profil_sample_tick(void)
{
	struct session *session = registry_find(current->mm);

	if (session && !sample_period(session))
		sample_session(session);
}

u64 profil_sample_timer(void)
{
	struct session *session = registry_find(current->mm);
	u64 period = sample_timer_period(session);

	if (period)
		sample_session(session);
	return period;
}
