/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timer: an hrtimer for each CPU, armed only while a task runs there whose
 * session it serves. Other programs and idle CPUs are not interrupted. Each CPU has
 * one for each table with a period, armed while the CPU is not idle, or while a process
 * of the table's tree runs there.
 *
 * The timer expires once in each period since boot, at the times of jitter.h,
 * and not one period after it was armed: so bursts shorter than a period get
 * their share of the samples.
 */
#ifndef PROFIL_TIMER_H
#define PROFIL_TIMER_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/types.h>

struct pid;
struct table;
struct task_struct;

/**
 * struct sample_timer - a timer of one CPU; used on that CPU, interrupts off
 * @hrtimer: the timer
 * @period: nanoseconds between samples while armed, else 0
 * @interval: the interval that contains the next sample time, see jitter.h
 * @skew: offset of this CPU's sample times, see jitter.h. Constant
 * @armed: @hrtimer is queued
 * @keep_armed: leave the timer armed across a switch: last time, the task was
 *	back before it expired
 * @table: whose timer it is, or NULL. Constant
 * @sibling: of a table, in the CPU's list of armed timers
 * @served: of a table, the task that it was armed for; compared only
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

/*
 * Arm the timers on CPUs where threads with current's address space already run. A
 * session of it has been published. Sleeps.
 */
void profil_timer_start(void);

/* Probe context switches, or no more. 0 or an errno. Sleep. */
int profil_timer_attach(void);
void profil_timer_detach(void);

/*
 * Timers of a table with a period, or on CPUs without a tick: set them up; arm them on
 * CPUs that are not idle, once the table is in the list; and cancel them, when it is not
 * any more and a grace period has passed. Those of a tree are armed by
 * profil_timer_start_member() instead, on CPUs where threads of @process run, which has
 * been added. Sleep, but for the first.
 */
void profil_timer_init_table(struct table *table);
void profil_timer_start_table(struct table *table);
void profil_timer_start_member(struct table *table, struct pid *process);
void profil_timer_stop_table(struct table *table);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
