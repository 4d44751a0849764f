/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timer: an hrtimer for each CPU, armed only while a task runs there whose session it
 * serves; and one for each CPU and table with a period, armed while the CPU is not idle,
 * or while a process of the table's tree runs there. No other program is interrupted.
 *
 * The timer expires once in each period since boot, at the times of jitter.h, and not one
 * period after it was armed: so bursts shorter than a period get their share of samples.
 */
#ifndef PROFIL_TIMER_H
#define PROFIL_TIMER_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/types.h>

struct hook;
struct pid;
struct table;
struct task_struct;

/* A timer of one CPU; used on that CPU, interrupts off */
struct sample_timer {
	struct hrtimer hrtimer; /* the timer */
	u64 period; /* nanoseconds between samples while armed, else 0 */
	u64 interval; /* the interval that contains the next sample time, see jitter.h */
	u32 skew; /* offset of this CPU's sample times, see jitter.h. Constant */
	bool armed; /* @hrtimer is queued */
	bool keep_armed; /* stay armed across a switch: last time, the task was back in time */
	struct table *table; /* whose timer it is, or NULL. Constant */
	/* of a table, in the CPU's list of armed timers */
	struct hlist_node sibling;
	/* of a table, the task that it was armed for; compared only */
	const struct task_struct *served;
};

/*
 * Arm the timers on CPUs where threads of the process @pid already run, which has been
 * added to a tree, or, if this is NULL, threads with current's address space, a session
 * of which has been published. Sleeps.
 */
void profil_timer_start(struct pid *pid);

extern struct hook profil_switch_hook;

/*
 * Timers of a table with a period, or on CPUs without a tick: set them up; arm them on
 * CPUs that are not idle, once the table is in the list; cancel them, a grace period
 * after it has left. Those of a tree are armed by profil_timer_start() instead. Sleep,
 * but for the first.
 */
void profil_timer_init_table(struct table *table);
void profil_timer_start_table(struct table *table);
void profil_timer_stop_table(struct table *table);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
