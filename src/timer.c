// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "clock.h"
#include "compat.h"
#include "hook.h"
#include "jitter.h"
#include "registry.h"
#include "sample.h"
#include "table.h"
#include "timer.h"
#include "tree.h"

/**
 * struct sample_timer - a timer of one CPU; used on that CPU, interrupts off
 * @hrtimer: the timer
 * @period: nanoseconds between samples, when last armed
 * @interval: the interval that contains the next sample time, see jitter.h
 * @skew: offset of this CPU's sample times, see jitter.h. Constant
 * @armed: @hrtimer is queued; a copy, as every context switch reads it
 * @keep_armed: leave the timer armed across a switch: last time, the task was
 *	back before it expired
 * @table: whose timer it is, or NULL. Constant
 * @sibling: of a tree, in armed_members while armed
 * @served: of a tree, the task that it was armed for; compared only
 */
struct sample_timer {
	struct hrtimer hrtimer;
	u64 period;
	u64 interval;
	u32 skew;
	bool armed;
	bool keep_armed;
	struct table *table;
	struct hlist_node sibling;
	const struct task_struct *served;
};

/* The timers of trees that are armed on each CPU; used there, interrupts off */
static DEFINE_PER_CPU(struct hlist_head, armed_members);

static DEFINE_PER_CPU(struct sample_timer, own_timers);

static struct tracepoint *sched_switch;
static int hotplug_state;

/* Set the first sample time after @now. */
static ktime_t first_expiry(struct sample_timer *timer, u64 now, u64 period)
{
	timer->period = period;
	timer->interval = jitter_interval_after(now, period, timer->skew);
	return ns_to_ktime(jitter_time(timer->interval, period, timer->skew));
}

/*
 * The sample time after the present one. Sample times that have passed, as when
 * interrupts come late, are skipped. Inline, as in both timers each sample needs
 * it.
 */
static __always_inline ktime_t next_expiry(struct sample_timer *timer,
					   u64 period)
{
	u64 now = ktime_get_ns();
	u64 next = jitter_time(timer->interval + 1, period, timer->skew);

	if (period != timer->period || next <= now)
		return first_expiry(timer, now, period);
	timer->interval++;
	return ns_to_ktime(next);
}

/*
 * Arm a timer of this CPU for the next sample. Interrupts are off; in a context
 * switch under the runqueue lock. A CPU on its way down is not active any more
 * when timer_cpu_offline() runs there.
 */
static void arm(struct sample_timer *timer, u64 period)
{
	u64 now;

	if (!cpu_active(smp_processor_id()))
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

/* The last use of the timer of a table that ends, whose memory is then freed. */
static __always_inline void set_disarmed(struct sample_timer *timer)
{
	/* Nothing, unless it is the timer of a tree */
	hlist_del_init(&timer->sibling);
	/* The timer is in no list when it is seen not to be armed: see is_armed(). */
	smp_store_release(&timer->armed, false);
}

/*
 * Disarm a timer of this CPU, interrupts off, in the switch to @next, which the
 * timer does not serve. To cancel and start an hrtimer costs several hundred
 * instructions, so the timer stays armed while a profiled program and @next
 * alternate. If the profiled program does not return in time, @next takes one
 * interrupt. The callback cannot be running, since it runs on this CPU with
 * interrupts off.
 */
static void disarm(struct sample_timer *timer, const struct task_struct *next)
{
	if (timer->keep_armed && !is_idle_task(next))
		return;
	hrtimer_try_to_cancel(&timer->hrtimer);
	set_disarmed(timer);
}

/* No session, or one that the timer does not serve here */
static __always_inline void stay_disarmed(struct sample_timer *timer)
{
	timer->keep_armed = false;
	set_disarmed(timer);
}

/*
 * The session is looked up at each expiry: exec changes current's mm without a
 * switch. A timer that hotplug has moved is ignored.
 */
static enum hrtimer_restart expire_own(struct hrtimer *hrtimer)
{
	struct sample_timer *timer = this_cpu_ptr(&own_timers);
	struct session *session = registry_find(current->mm);
	u64 period = clock_timer_period(session);

	if (hrtimer != &timer->hrtimer)
		return HRTIMER_NORESTART;
	if (!period) {
		stay_disarmed(timer);
		return HRTIMER_NORESTART;
	}
	sample_session(session);
	hrtimer_set_expires(hrtimer, next_expiry(timer, period));
	return HRTIMER_RESTART;
}

/* Under the runqueue lock, as the next: no wakeup, no queueing of work. */
static void notrace on_switch(void *data, bool preempt,
			      struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	u64 period = clock_timer_period(registry_find(next->mm));

	if (unlikely(period))
		arm(this_cpu_ptr(&own_timers), period);
	else if (unlikely(this_cpu_read(own_timers.armed)))
		disarm(this_cpu_ptr(&own_timers), next);
}

int profil_timer_attach(void)
{
	check_trace_callback_type_sched_switch(on_switch);
	return profil_probe_attach(sched_switch, on_switch);
}

/* A timer still armed expires once more, and finds no session. */
void profil_timer_detach(void)
{
	profil_probe_detach(sched_switch, on_switch);
}

static void arm_member(const struct member *member,
		       const struct task_struct *task)
{
	struct table *table = container_of(member->tree, struct table, tree);
	struct sample_timer *timer;
	u64 period;

	if (!table->timers)
		return;
	timer = this_cpu_ptr(table->timers);
	period = clock_period_here(table->period_ns);
	if (!period)
		return;
	timer->served = task;
	arm(timer, period);
	if (timer->armed && hlist_unhashed(&timer->sibling))
		hlist_add_head(&timer->sibling, this_cpu_ptr(&armed_members));
}

/* Arm the timers of all trees that the process of @task is in. */
static void arm_members(const struct task_struct *task)
{
	const struct pid *process = task_tgid((struct task_struct *)task);
	const struct member *member;

	hlist_for_each_entry_rcu(member, member_bucket(process), node, true)
		if (member->process == process && sample_has_user_mode(task))
			arm_member(member, task);
}

/*
 * A timer that stays armed is in the list for up to a period, and each switch goes
 * through the list: of the timers that a user has, those armed last stay.
 */
static void disarm_others(const struct task_struct *next)
{
	struct sample_timer *timer;
	struct hlist_node *after;
	unsigned int kept = 0;

	hlist_for_each_entry_safe(timer, after, this_cpu_ptr(&armed_members),
				  sibling) {
		if (timer->served == next)
			continue;
		if (kept++ >= PROFIL_MAX_TREES)
			timer->keep_armed = false;
		disarm(timer, next);
	}
}

static void notrace on_switch_members(void *data, bool preempt,
				      struct task_struct *prev,
				      struct task_struct *next,
				      unsigned int prev_state)
{
	arm_members(next);
	if (!hlist_empty(this_cpu_ptr(&armed_members)))
		disarm_others(next);
}

int profil_timer_attach_members(void)
{
	check_trace_callback_type_sched_switch(on_switch_members);
	return profil_probe_attach(sched_switch, on_switch_members);
}

void profil_timer_detach_members(void)
{
	profil_probe_detach(sched_switch, on_switch_members);
}

static void cancel_here(void *argument)
{
	const struct table *table = argument;
	struct sample_timer *timer = this_cpu_ptr(table->timers);

	hrtimer_try_to_cancel(&timer->hrtimer);
	set_disarmed(timer);
}

static bool is_armed(int cpu, void *argument)
{
	const struct table *table = argument;
	const struct sample_timer *timer = per_cpu_ptr(table->timers, cpu);

	/* Pairs with set_disarmed(). */
	return smp_load_acquire(&timer->armed);
}

/* A CPU that has become idle, or runs another process, is not interrupted again. */
static enum hrtimer_restart expire_table(struct hrtimer *hrtimer)
{
	struct sample_timer *timer =
		container_of(hrtimer, struct sample_timer, hrtimer);
	struct table *table = timer->table;
	u64 period = clock_period_here(table->period_ns);

	if (timer != this_cpu_ptr(table->timers))
		return HRTIMER_NORESTART;
	if (!period || !profil_table_sample(table)) {
		stay_disarmed(timer);
		return HRTIMER_NORESTART;
	}
	hrtimer_set_expires(hrtimer, next_expiry(timer, period));
	return HRTIMER_RESTART;
}

static void serve_table(struct table *table, const struct task_struct *next)
{
	struct sample_timer *timer = this_cpu_ptr(table->timers);
	u64 period = clock_period_here(table->period_ns);

	if (period && !is_idle_task(next))
		arm(timer, period);
	else if (timer->armed)
		disarm(timer, next);
}

static void notrace on_switch_tables(void *data, bool preempt,
				     struct task_struct *prev,
				     struct task_struct *next,
				     unsigned int prev_state)
{
	struct table *table;

	list_for_each_entry_rcu(table, &profil_tables, node, true)
		if (table->timers)
			serve_table(table, next);
}

int profil_timer_attach_tables(void)
{
	check_trace_callback_type_sched_switch(on_switch_tables);
	return profil_probe_attach(sched_switch, on_switch_tables);
}

void profil_timer_detach_tables(void)
{
	profil_probe_detach(sched_switch, on_switch_tables);
}

static void serve_here(void *table)
{
	serve_table(table, current);
}

/* Each CPU is interrupted once; an idle one then sleeps again. */
void profil_timer_start_table(struct table *table)
{
	if (table->timers && !(table->flags & PROFIL_TABLE_TREE))
		on_each_cpu(serve_here, table, true);
}

void profil_timer_stop_table(struct table *table)
{
	int cpu;

	if (!table->timers)
		return;
	on_each_cpu_cond(is_armed, cancel_here, table, true);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(table->timers, cpu)->hrtimer);
}

static void arm_for_current(void *unused)
{
	u64 period = clock_timer_period(registry_find(current->mm));

	if (period)
		arm(this_cpu_ptr(&own_timers), period);
	arm_members(current);
}

/*
 * Mark the CPU on whose runqueue @task is: it runs there, or is about to.
 *
 * A task that is seen on no runqueue, or on that of a CPU that it has just
 * left, is switched to later, and the probe then finds the session or the member.
 * For this was published before, with a full barrier in between; and
 * before a CPU picks a task, the task is put on the runqueue, its CPU is
 * written, and __schedule() has a full barrier on that CPU. So either the task
 * is seen here, or the probe there sees it. Testing on_cpu would be
 * wrong: it is set after the probe, and both would miss a task between the two.
 */
static void mark_cpu(const struct task_struct *task, struct cpumask *cpus)
{
	if (READ_ONCE(task->on_rq))
		cpumask_set_cpu(task_cpu(task), cpus);
}

/*
 * Mark the CPUs of @process: of all threads, or of those that have @mm, if this is not
 * NULL. Returns the number of these threads.
 */
static int mark_process(const struct task_struct *process,
			const struct mm_struct *mm, struct cpumask *cpus)
{
	struct task_struct *task;
	int threads = 0;

	/* for_each_thread() takes a lock that is not exported, with lockdep. */
	list_for_each_entry_rcu(task, &process->signal->thread_head,
				thread_node) {
		const struct mm_struct *its_mm = READ_ONCE(task->mm);

		if (mm && !its_mm)
			continue; /* exiting */
		if (mm && its_mm != mm)
			break;
		mark_cpu(task, cpus);
		threads++;
	}
	return threads;
}

/*
 * Mark the CPUs of current's process, and of others if these may share its mm, as the
 * child of vfork() does. If a thread begins and another ends between the two readings,
 * a task of such a process may be missed: its timer is armed when it is next switched
 * to.
 */
static void mark_own(struct cpumask *cpus)
{
	const struct mm_struct *mm = current->mm;
	int before = atomic_read(&mm->mm_users);
	int threads = mark_process(current, mm, cpus);
	const struct task_struct *process;

	if (threads == before && threads == atomic_read(&mm->mm_users))
		return;
	for_each_process(process)
		mark_process(process, mm, cpus);
}

/*
 * Arm the timers on CPUs where threads of @pid run or, if this is NULL, threads with
 * current's mm. A program interrupts no CPU without one of its threads: CPUs may be
 * isolated from all other work. Nothing may fail here. The mask is a kilobyte for 8192
 * CPUs; one for all calls would need a lock, by which one user could make another wait.
 */
static void arm_where_running(struct pid *pid)
{
	const struct task_struct *leader;
	cpumask_var_t cpus;

	zalloc_cpumask_var(&cpus, GFP_KERNEL | __GFP_NOFAIL);
	smp_mb(); /* see mark_cpu() */
	rcu_read_lock();
	leader = pid ? pid_task(pid, PIDTYPE_TGID) : NULL;
	if (leader)
		mark_process(leader, NULL, cpus);
	else if (!pid)
		mark_own(cpus);
	rcu_read_unlock();
	on_each_cpu_mask(cpus, arm_for_current, NULL, true);
	free_cpumask_var(cpus);
}

void profil_timer_start(void)
{
	arm_where_running(NULL);
}

void profil_timer_start_member(struct table *table, struct pid *process)
{
	if (table->timers)
		arm_where_running(process);
}

static void cancel(struct sample_timer *timer)
{
	hrtimer_cancel(&timer->hrtimer);
	WRITE_ONCE(timer->armed, false);
}

/* Runs on that CPU: nothing arms its timers after this. */
static int timer_cpu_offline(unsigned int cpu)
{
	struct sample_timer *timer;
	struct hlist_node *after;
	struct table *table;

	local_irq_disable();
	hlist_for_each_entry_safe(timer, after, this_cpu_ptr(&armed_members),
				  sibling)
		cancel_here(timer->table);
	local_irq_enable();
	cancel(per_cpu_ptr(&own_timers, cpu));
	rcu_read_lock();
	list_for_each_entry_rcu(table, &profil_tables, node)
		if (table->timers)
			cancel(per_cpu_ptr(table->timers, cpu));
	rcu_read_unlock();
	return 0;
}

static void set_up(struct sample_timer *timer, int cpu,
		   enum hrtimer_restart (*expired)(struct hrtimer *hrtimer))
{
	timer->skew = cpu * JITTER_CPU_SKEW;
	hrtimer_setup(&timer->hrtimer, expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

int profil_timer_alloc_table(struct table *table)
{
	int cpu;

	if (!clock_needs_timer(table->period_ns))
		return 0;
	table->timers =
		alloc_percpu_gfp(struct sample_timer, GFP_KERNEL_ACCOUNT);
	if (!table->timers)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		set_up(per_cpu_ptr(table->timers, cpu), cpu, expire_table);
		per_cpu_ptr(table->timers, cpu)->table = table;
	}
	return 0;
}

int profil_timer_init(void)
{
	int cpu;

	sched_switch = profil_probe_find("sched_switch");
	if (!sched_switch)
		return -ENODEV;
	for_each_possible_cpu(cpu) {
		set_up(per_cpu_ptr(&own_timers, cpu), cpu, expire_own);
	}
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "profil:online",
					  NULL, timer_cpu_offline);
	return min(hotplug_state, 0);
}

/*
 * Nothing arms a timer any more. Runs timer_cpu_offline() on each CPU that is
 * up.
 */
void profil_timer_exit(void)
{
	cpuhp_remove_state(hotplug_state);
}
