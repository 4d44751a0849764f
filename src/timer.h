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

struct pid;
struct table;

/*
 * Arm the timers on CPUs where threads with current's address space already run. A
 * session of it has been published. Sleeps.
 */
void profil_timer_start(void);

/* Probe switches for timers of each kind, or no more. 0 or an errno. Sleep. */
int profil_timer_attach(void);
void profil_timer_detach(void);
int profil_timer_attach_tables(void);
void profil_timer_detach_tables(void);
int profil_timer_attach_members(void);
void profil_timer_detach_members(void);

/*
 * Timers of a table with a period, or on CPUs without a tick: allocate (0 or
 * ENOMEM); arm them on CPUs that are not idle, once the table is in the list; and
 * cancel them, when it is not any more and a grace period has passed. Those of a tree
 * are armed by profil_timer_start_member() instead, on CPUs where threads of @process
 * run, which has been added. Sleep.
 */
int profil_timer_alloc_table(struct table *table);
void profil_timer_start_table(struct table *table);
void profil_timer_start_member(struct table *table, struct pid *process);
void profil_timer_stop_table(struct table *table);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
