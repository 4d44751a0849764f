// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "attachment.h"
#include "clock.h"
#include "compat.h"
#include "jitter.h"
#include "needs.h"
#include "registry.h"
#include "sample.h"
#include "timer.h"
#include "tracepoint.h"

/**
 * struct sample_timer - the timer of one CPU; used on that CPU, interrupts off
 * @hrtimer: the timer
 * @period: nanoseconds between samples, when last armed
 * @interval: the interval that contains the next sample time, see jitter.h
 * @skew: offset of this CPU's sample times, see jitter.h. Constant
 * @armed: @hrtimer is queued; a copy, as every context switch reads it
 * @online: the CPU is up, and not on its way down
 * @keep_armed: leave the timer armed across a switch: last time, the task was
 *	back before it expired
 */
struct sample_timer {
	struct hrtimer hrtimer;
	u64 period;
	u64 interval;
	u32 skew;
	bool armed;
	bool online;
	bool keep_armed;
};

static DEFINE_PER_CPU(struct sample_timer, timers);

static struct tracepoint *sched_switch;
static enum cpuhp_state hotplug_state;

/* Set the first sample time after @now. */
static ktime_t first_expiry(struct sample_timer *timer, u64 now, u64 period)
{
	timer->period = period;
	timer->interval = jitter_interval_after(now, period, timer->skew);
	return ns_to_ktime(jitter_time(timer->interval, period, timer->skew));
}

/*
 * The sample time after the present one. Sample times that have passed, as when
 * interrupts come late, are skipped.
 */
static ktime_t next_expiry(struct sample_timer *timer, u64 period)
{
	u64 now = ktime_get_ns();
	u64 next = jitter_time(timer->interval + 1, period, timer->skew);

	if (period != timer->period || next <= now)
		return first_expiry(timer, now, period);
	timer->interval++;
	return ns_to_ktime(next);
}

/*
 * Arm this CPU's timer for the next sample. Interrupts are off; in a context
 * switch under the runqueue lock.
 */
static void arm(u64 period)
{
	struct sample_timer *timer = this_cpu_ptr(&timers);
	u64 now;

	if (!timer->online)
		return;
	if (timer->armed && timer->period == period) {
		timer->keep_armed = true;
		return;
	}
	now = ktime_get_ns();
	if (ktime_to_ns(hrtimer_get_expires(&timer->hrtimer)) > now)
		timer->keep_armed = true;
	timer->armed = true;
	hrtimer_start(&timer->hrtimer, first_expiry(timer, now, period),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Disarm this CPU's timer, interrupts off, in the switch to @next, which the
 * timer does not serve. To cancel and start an hrtimer costs several hundred
 * instructions, so the timer stays armed while a profiled program and @next
 * alternate. If the profiled program does not return in time, @next takes one
 * interrupt. The callback cannot be running, since it runs on this CPU with
 * interrupts off.
 */
static void disarm(const struct task_struct *next)
{
	struct sample_timer *timer = this_cpu_ptr(&timers);

	if (timer->keep_armed && !is_idle_task(next))
		return;
	hrtimer_try_to_cancel(&timer->hrtimer);
	timer->armed = false;
}

/*
 * Look up the session at each expiry: exec changes current's mm without a
 * switch. A timer that hotplug has moved here from a dead CPU is ignored.
 */
static enum hrtimer_restart expire(struct hrtimer *hrtimer)
{
	struct sample_timer *timer = this_cpu_ptr(&timers);
	u64 period;

	if (hrtimer != &timer->hrtimer)
		return HRTIMER_NORESTART;
	period = profil_sample_timer();
	if (!period) {
		timer->keep_armed = false;
		timer->armed = false;
		return HRTIMER_NORESTART;
	}
	hrtimer_set_expires(hrtimer, next_expiry(timer, period));
	return HRTIMER_RESTART;
}

/* Under the runqueue lock: no wakeup, no queueing of work. */
static void notrace on_switch(void *data, bool preempt,
			      struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	u64 period = 0;

	if (unlikely(registry_may_have(next->mm)))
		period = clock_running_timer_period(registry_find(next->mm));
	if (unlikely(period))
		arm(period);
	else if (unlikely(this_cpu_read(timers.armed)))
		disarm(next);
}

static int timer_attach(void)
{
	check_trace_callback_type_sched_switch(on_switch);
	return profil_tracepoint_attach(sched_switch, on_switch);
}

/* A timer still armed expires once more, and finds no session. */
static void timer_detach(void)
{
	profil_tracepoint_detach(sched_switch, on_switch);
}

DEFINE_ATTACHMENT(timer);

static void arm_for_current(void *unused)
{
	u64 period = clock_running_timer_period(registry_find(current->mm));

	if (period)
		arm(period);
}

static DEFINE_MUTEX(start_lock); /* guards start_cpus */
static struct cpumask start_cpus;

/*
 * Mark the CPU on whose runqueue @task is: it runs there, or is about to.
 *
 * A task that is seen on no runqueue, or on that of a CPU that it has just
 * left, is switched to later, and on_switch() then finds the session. For the
 * session was published before, with a full barrier in between; and before a
 * CPU picks a task, the task is put on the runqueue, its CPU is written, and
 * __schedule() has a full barrier on that CPU. So either the task is seen here,
 * or on_switch() there sees the session. Testing on_cpu would be wrong: it is
 * set after on_switch(), and both would miss a task between the two.
 */
static void mark_cpu(const struct task_struct *task, struct cpumask *cpus)
{
	if (READ_ONCE(task->on_rq))
		cpumask_set_cpu(task_cpu(task), cpus);
}

/*
 * Mark the CPUs of @process if its mm, that of any thread not exiting, is @mm.
 */
static void mark_process(struct task_struct *process,
			 const struct mm_struct *mm, struct cpumask *cpus)
{
	struct task_struct *task;

	/* for_each_thread() takes a lock that is not exported, with lockdep. */
	list_for_each_entry_rcu(task, &process->signal->thread_head,
				thread_node) {
		const struct mm_struct *task_mm = READ_ONCE(task->mm);

		if (task_mm == mm)
			mark_cpu(task, cpus);
		else if (task_mm)
			break;
	}
}

/* Several processes may share an mm, as the child of vfork() does. */
static void mark_cpus(const struct mm_struct *mm, struct cpumask *cpus)
{
	struct task_struct *process;

	rcu_read_lock();
	for_each_process(process)
		mark_process(process, mm, cpus);
	rcu_read_unlock();
}

/*
 * Single-threaded: only this CPU needs arming. If the task migrates,
 * on_switch() arms the timer there.
 */
static void start_here(void)
{
	unsigned long flags;

	local_irq_save(flags);
	arm_for_current(NULL);
	local_irq_restore(flags);
}

static void start_everywhere(void)
{
	mutex_lock(&start_lock);
	cpumask_clear(&start_cpus);
	smp_mb(); /* see mark_cpu() */
	mark_cpus(current->mm, &start_cpus);
	on_each_cpu_mask(&start_cpus, arm_for_current, NULL, true);
	mutex_unlock(&start_lock);
}

/*
 * A program interrupts no CPU without one of its threads. CPUs may be isolated
 * from all other work.
 */
void profil_timer_start_running(void)
{
	if (atomic_read(&current->mm->mm_users) == 1)
		start_here();
	else
		start_everywhere();
}

static int timer_cpu_online(unsigned int cpu)
{
	this_cpu_write(timers.online, true);
	return 0;
}

/* Runs on that CPU: nothing arms its timer after this. */
static int timer_cpu_offline(unsigned int cpu)
{
	this_cpu_write(timers.online, false);
	hrtimer_cancel(&per_cpu_ptr(&timers, cpu)->hrtimer);
	this_cpu_write(timers.armed, false);
	return 0;
}

int profil_timer_init(void)
{
	int cpu, state;

	sched_switch = profil_tracepoint_find("sched_switch");
	if (!sched_switch)
		return -ENODEV;
	for_each_possible_cpu(cpu) {
		struct sample_timer *timer = per_cpu_ptr(&timers, cpu);

		timer->skew = cpu * JITTER_CPU_SKEW;
		hrtimer_setup(&timer->hrtimer, expire, CLOCK_MONOTONIC,
			      HRTIMER_MODE_ABS_PINNED_HARD);
	}
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "profil:online",
				  timer_cpu_online, timer_cpu_offline);
	if (state < 0)
		return state;
	hotplug_state = state;
	profil_needs_provide(NEED_TIMER, &timer_attachment);
	return 0;
}

/*
 * Nothing arms a timer any more. Runs timer_cpu_offline() on each CPU that is
 * up.
 */
void profil_timer_exit(void)
{
	cpuhp_remove_state(hotplug_state);
}
