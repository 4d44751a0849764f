/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timer: one hrtimer for each CPU, armed only while a task runs there whose
 * session it serves. Other programs and idle CPUs are not interrupted.
 *
 * The timer expires once in each period since boot, at the times of jitter.h,
 * and not one period after it was armed: so bursts shorter than a period get
 * their share of the samples.
 */
#ifndef PROFIL_TIMER_H
#define PROFIL_TIMER_H

/* Arm the timer on CPUs where threads of current's mm already run. Sleeps. */
void profil_timer_start_running(void);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
