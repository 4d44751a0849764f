// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "sample.h"
#include "tick.h"
#include "timer.h"
#include "trace.h"

/**
 * struct clock_timer - the timer of one CPU; used there only, interrupts off
 * @hrtimer: the timer
 * @period: what it was armed with, in nanoseconds
 * @online: the CPU is up, and not on its way down
 */
struct clock_timer {
	struct hrtimer hrtimer;
	u64 period;
	bool online;
};

static DEFINE_PER_CPU(struct clock_timer, timers);

static DEFINE_MUTEX(watch_lock); /* guards watching, and users leaving 0 */
static bool watching;
static atomic_t users;
static enum cpuhp_state hotplug_state;

/*
 * To begin or end watching is to patch the text of the kernel on all CPUs. So
 * that goes on for a while after the last user: there may soon be a next one.
 */
#define LINGER (10 * HZ)

static void rest(struct work_struct *work);
static DECLARE_DELAYED_WORK(rest_work, rest);

bool timer_serves(u64 period_ns)
{
	return period_ns || tick_stopped_somewhere();
}

/* This CPU, interrupts off; under the runqueue's lock when it switches. */
static void arm(u64 period)
{
	struct clock_timer *timer = this_cpu_ptr(&timers);
	u64 next;

	if (!timer->online)
		return;
	if (timer->period == period && hrtimer_is_queued(&timer->hrtimer))
		return;
	timer->period = period;
	next = (div64_u64(ktime_get_ns(), period) + 1) * period;
	hrtimer_start(&timer->hrtimer, ns_to_ktime(next),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * This CPU, interrupts off. The callback cannot be running, since it would
 * run here and with interrupts off.
 */
static void disarm(void)
{
	hrtimer_try_to_cancel(&this_cpu_ptr(&timers)->hrtimer);
}

/*
 * Looks the session up anew: exec changes current's mm without a switch. A
 * timer that hotplug moved here from a dead CPU is not of this one.
 */
static enum hrtimer_restart expire(struct hrtimer *hrtimer)
{
	u64 period;

	if (hrtimer != &this_cpu_ptr(&timers)->hrtimer)
		return HRTIMER_NORESTART;
	period = sample_timer();
	if (!period)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(hrtimer, ns_to_ktime(period));
	return HRTIMER_RESTART;
}

/* Under the runqueue's lock: nothing here may wake or queue anything. */
static void PROBE_SCHED_SWITCH(on_switch)
{
	u64 period = sample_timer_period(next->mm);

	if (period)
		arm(period);
	else
		disarm();
}

static int watch(void)
{
	struct tracepoint *tracepoint = trace_find("sched_switch");

	if (!tracepoint)
		return -ENODEV;
	return tracepoint_probe_register(tracepoint, on_switch, NULL);
}

static void unwatch(void)
{
	tracepoint_probe_unregister(trace_find("sched_switch"), on_switch,
				    NULL);
}

static void rest(struct work_struct *work)
{
	mutex_lock(&watch_lock);
	if (watching && !atomic_read(&users)) {
		unwatch();
		watching = false;
	}
	mutex_unlock(&watch_lock);
}

int timer_get(void)
{
	int err = 0;

	mutex_lock(&watch_lock);
	if (!watching)
		err = watch();
	if (!err) {
		watching = true;
		atomic_inc(&users);
	}
	mutex_unlock(&watch_lock);
	return err;
}

bool timer_share(void)
{
	return atomic_inc_not_zero(&users);
}

/* A timer still armed then expires once, and finds nobody. */
void timer_put(void)
{
	if (atomic_dec_and_test(&users))
		mod_delayed_work(system_unbound_wq, &rest_work, LINGER);
}

static void look(void *unused)
{
	u64 period = sample_timer_period(current->mm);

	if (period)
		arm(period);
}

void timer_look(void)
{
	on_each_cpu(look, NULL, true);
}

static int cpu_up(unsigned int cpu)
{
	this_cpu_write(timers.online, true);
	return 0;
}

/* On that CPU, which still runs: nothing arms the timer after this. */
static int cpu_down(unsigned int cpu)
{
	this_cpu_write(timers.online, false);
	hrtimer_cancel(&per_cpu_ptr(&timers, cpu)->hrtimer);
	return 0;
}

int profil_timer_init(void)
{
	int cpu, state;

	for_each_possible_cpu(cpu)
		hrtimer_setup(&per_cpu_ptr(&timers, cpu)->hrtimer, expire,
			      CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "profil:online", cpu_up,
				  cpu_down);
	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/* No session is left. Ends with cpu_down() on every CPU that is up. */
void profil_timer_exit(void)
{
	cancel_delayed_work_sync(&rest_work);
	rest(NULL);
	tracepoint_synchronize_unregister();
	cpuhp_remove_state(hotplug_state);
}
