// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <trace/events/sched.h>

#include "clock.h"
#include "compat.h"
#include "hook.h"
#include "jitter.h"
#include "registry.h"
#include "sample.h"
#include "table_sample.h"
#include "timer.h"
#include "tree.h"

/*
 * The timers that are armed on a CPU; used there, interrupts off. @nr: ARMED_OWN while
 * that of sessions is, and TIMED_TABLE for each of a table: what a switch from and to
 * programs without a timer reads. @of_tables: those of tables
 */
struct armed_timers {
	u64 nr;
	struct hlist_head of_tables;
};

/* Above the numbers of sessions */
#define ARMED_OWN BIT_ULL(31)

static DEFINE_PER_CPU(struct armed_timers, armed_timers);

static DEFINE_PER_CPU(struct sample_timer, own_timers);

static int hotplug_state;

/* Set the first sample time after @now. */
static ktime_t first_expiry(struct sample_timer *timer, u64 now, u64 period)
{
	timer->period = period;
	timer->interval = jitter_interval_after(now, period, timer->skew);
	return ns_to_ktime(jitter_time(timer->interval, period, timer->skew));
}

/*
 * The sample time after the present one. Those that have passed, as when interrupts come
 * late, are skipped. Inline: each sample needs it.
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
 * Arm a timer of this CPU for the next sample. Interrupts are off; in a context switch
 * under the runqueue lock. A CPU on its way down is not active in timer_cpu_offline().
 */
static void timer_arm(struct sample_timer *timer, u64 period)
{
	u64 now;

	if (timer->period == period) {
		timer->keep_armed = true;
		return;
	}
	if (!cpu_active(smp_processor_id()))
		return;
	now = ktime_get_ns();
	if (ktime_to_ns(hrtimer_get_expires(&timer->hrtimer)) > now)
		timer->keep_armed = true;
	if (!timer->armed)
		raw_cpu_add(armed_timers.nr,
			    timer->table ? TIMED_TABLE : ARMED_OWN);
	timer->armed = true;
	hrtimer_start(&timer->hrtimer, first_expiry(timer, now, period),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/* The last use of the timer of a table that ends, whose memory is then freed. */
static void set_disarmed(struct sample_timer *timer)
{
	if (!timer->armed)
		return;
	raw_cpu_sub(armed_timers.nr, timer->table ? TIMED_TABLE : ARMED_OWN);
	timer->period = 0;
	/* Nothing, unless it is the timer of a table */
	hlist_del_init(&timer->sibling);
	/* The timer is in no list when it is seen not to be armed: see is_armed(). */
	smp_store_release(&timer->armed, false);
}

/* The callback cannot be running: it runs on this CPU, with interrupts off. */
static void cancel_here(struct sample_timer *timer)
{
	hrtimer_try_to_cancel(&timer->hrtimer);
	set_disarmed(timer);
}

/*
 * Shall a timer be disarmed in the switch to @next, which it does not serve? To cancel and
 * start an hrtimer costs several hundred instructions, so it stays armed while a profiled
 * program and @next alternate; else @next takes one interrupt.
 */
static bool may_disarm(bool keep_armed, const struct task_struct *next)
{
	return !keep_armed || is_idle_task(next);
}

/* No session, or one that the timer does not serve here */
static enum hrtimer_restart stay_disarmed(struct sample_timer *timer)
{
	timer->keep_armed = false;
	set_disarmed(timer);
	return HRTIMER_NORESTART;
}

/*
 * exec changes current's mm without a switch. A timer that hotplug has moved is ignored.
 */
static enum hrtimer_restart expire_own(struct hrtimer *hrtimer)
{
	struct sample_timer *timer = this_cpu_ptr(&own_timers);
	struct session *session = registry_find(current->mm);
	u64 period = clock_timer_period(session);

	if (hrtimer != &timer->hrtimer)
		return HRTIMER_NORESTART;
	if (!period)
		return stay_disarmed(timer);
	sample_session(session);
	hrtimer_set_expires(hrtimer, next_expiry(timer, period));
	return HRTIMER_RESTART;
}

static void arm_table(struct table *table, const struct task_struct *task)
{
	struct sample_timer *timer = this_cpu_ptr(&table->cpus->timer);
	u64 period = clock_period_here(table->period_ns);

	if (!table->has_timers || !period)
		return;
	timer->served = task;
	timer_arm(timer, period);
	if (timer->armed && hlist_unhashed(&timer->sibling))
		hlist_add_head(&timer->sibling,
			       this_cpu_ptr(&armed_timers.of_tables));
}

/* Arm the timers of all trees that the process of @task is in. */
static void arm_members(const struct task_struct *task)
{
	const struct pid *process = task_tgid((struct task_struct *)task);
	const struct member *member;

	hlist_for_each_entry_rcu(member, member_bucket(process), node, true)
		if (member->process == process && sample_has_user_mode(task))
			arm_table(container_of(member->tree, struct table,
					       tree),
				  task);
}

/* Arm those of tables that are no trees. */
static void arm_tables(const struct task_struct *task)
{
	struct table *table;

	if (is_idle_task(task))
		return;
	list_for_each_entry_rcu(table, &profil_tables, node, true)
		arm_table(table, task);
}

/*
 * Each switch goes through the list of timers that stay armed: of those that a user has,
 * the last ones stay.
 */
static void disarm_tables(const struct task_struct *next)
{
	struct hlist_head *armed = this_cpu_ptr(&armed_timers.of_tables);
	struct sample_timer *timer;
	struct hlist_node *after;
	unsigned int kept = 0;

	hlist_for_each_entry_safe(timer, after, armed, sibling) {
		if (timer->served == next)
			continue;
		if (kept++ >= PROFIL_MAX_TREES)
			timer->keep_armed = false;
		if (may_disarm(timer->keep_armed, next))
			cancel_here(timer);
	}
}

static __always_inline void serve_session(u64 nr,
					  const struct task_struct *next)
{
	u64 period = 0;

	if (nr & (ARMED_OWN - 1))
		period = clock_timer_period(registry_find(next->mm));
	if (period && raw_cpu_read(own_timers.period) == period)
		raw_cpu_write(own_timers.keep_armed, true);
	else if (period)
		timer_arm(raw_cpu_ptr(&own_timers), period);
	else if (nr & ARMED_OWN &&
		 may_disarm(raw_cpu_read(own_timers.keep_armed), next))
		cancel_here(raw_cpu_ptr(&own_timers));
}

static noinline void notrace switch_all_timers(u64 nr,
					       const struct task_struct *next)
{
	serve_session(nr, next);
	if (!list_empty(&profil_tables))
		arm_tables(next);
	if (timed_read(tree_timed(next->signal)))
		arm_members(next);
	disarm_tables(next);
}

/* @nr: what on_switch() has found */
static noinline void notrace switch_timers(u64 nr,
					   const struct task_struct *next)
{
	if (unlikely(nr >> 32))
		switch_all_timers(nr, next);
	else
		serve_session(nr, next);
}

/* Under the runqueue lock: no wakeup, no queueing of work */
static void notrace on_switch(void *data, bool preempt,
			      struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	u64 nr = raw_cpu_read(armed_timers.nr);

	nr |= timed_read(registry_timed(next->mm));
	nr |= timed_read(tree_timed(next->signal));
	if (unlikely(nr))
		switch_timers(nr, next);
}

DEFINE_TRACEPOINT_HOOK(switch, sched_switch);

static void cancel_table_here(void *argument)
{
	const struct table *table = argument;

	cancel_here(this_cpu_ptr(&table->cpus->timer));
}

static bool is_armed(int cpu, void *argument)
{
	const struct table *table = argument;
	const struct sample_timer *timer =
		per_cpu_ptr(&table->cpus->timer, cpu);

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

	if (timer != this_cpu_ptr(&table->cpus->timer))
		return HRTIMER_NORESTART;
	if (!period || !profil_table_sample(table))
		return stay_disarmed(timer);
	hrtimer_set_expires(hrtimer, next_expiry(timer, period));
	return HRTIMER_RESTART;
}

static void arm_table_here(void *table)
{
	if (!is_idle_task(current))
		arm_table(table, current);
}

/* Each CPU is interrupted once; an idle one then sleeps again. */
void profil_timer_start_table(struct table *table)
{
	if (table->has_timers && !(table->flags & PROFIL_TABLE_TREE))
		on_each_cpu(arm_table_here, table, true);
}

void profil_timer_stop_table(struct table *table)
{
	int cpu;

	if (!table->has_timers)
		return;
	on_each_cpu_cond(is_armed, cancel_table_here, table, true);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(table->cpus, cpu)->timer.hrtimer);
}

static void arm_for_current(void *unused)
{
	u64 period = clock_timer_period(registry_find(current->mm));

	if (period)
		timer_arm(this_cpu_ptr(&own_timers), period);
	arm_members(current);
}

/*
 * Mark the CPU on whose runqueue @task is: it runs there, or is about to.
 *
 * A task that is on no runqueue, or on that of a CPU that it has just left, is switched to
 * later, and the probe then finds what was published before, with a full barrier in
 * between: before a CPU picks a task, the task is put on the runqueue, its CPU is written,
 * and __schedule() has a full barrier there. Testing on_cpu would be wrong: it is set
 * after the probe, and both would miss a task between the two.
 */
static void mark_cpu(const struct task_struct *task, struct cpumask *cpus)
{
	if (READ_ONCE(task->on_rq))
		cpumask_set_cpu(task_cpu(task), cpus);
}

/*
 * Mark the CPUs of the threads of @process, or of those with @mm, if this is not NULL.
 * Returns the number of these threads.
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
 * child of vfork() does. A task that is missed, if a thread begins and another ends
 * between the two readings, has its timer armed when it is next switched to.
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
 * CPUs without a thread of the program may be isolated from all other work. Nothing may
 * fail here. One mask for all calls would need a lock, by which users wait for each other.
 */
void profil_timer_start(struct pid *pid)
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

/* Runs on that CPU: nothing arms its timers after this. */
static int timer_cpu_offline(unsigned int cpu)
{
	struct hlist_head *armed;
	struct sample_timer *timer;
	struct hlist_node *after;

	local_irq_disable();
	armed = this_cpu_ptr(&armed_timers.of_tables);
	hlist_for_each_entry_safe(timer, after, armed, sibling)
		cancel_here(timer);
	cancel_here(this_cpu_ptr(&own_timers));
	local_irq_enable();
	return 0;
}

static void set_up(struct sample_timer *timer, int cpu,
		   enum hrtimer_restart (*expired)(struct hrtimer *hrtimer))
{
	timer->skew = cpu * JITTER_CPU_SKEW;
	hrtimer_setup(&timer->hrtimer, expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

void profil_timer_init_table(struct table *table)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct sample_timer *timer =
			per_cpu_ptr(&table->cpus->timer, cpu);

		set_up(timer, cpu, expire_table);
		timer->table = table;
	}
}

int profil_timer_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		set_up(per_cpu_ptr(&own_timers, cpu), cpu, expire_own);
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "profil:online",
					  NULL, timer_cpu_offline);
	return min(hotplug_state, 0);
}

/* Nothing arms a timer any more. Runs timer_cpu_offline() on each CPU that is up. */
void profil_timer_exit(void)
{
	cpuhp_remove_state(hotplug_state);
}
