/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timer clock: one hrtimer per CPU, armed only while a task whose session
 * it serves runs there. Other programs and idle CPUs get no interrupt of it.
 *
 * It expires once in each period since boot, whenever it was armed, so that
 * short bursts of work are sampled as often as their length deserves.
 */
#ifndef PROFIL_TIMER_H
#define PROFIL_TIMER_H

/* Arm the timer on CPUs where threads of current's mm already run. Sleeps. */
void profil_timer_start_running(void);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
