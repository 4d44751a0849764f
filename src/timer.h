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

#include <linux/types.h>

/* Whether a session with this period needs the timer on some CPU. */
bool profil_timer_needed(u64 period_ns);

/* The timer watches context switches while this is attached. */
extern struct attachment profil_timer_attachment;

/* Begin at once on CPUs where current's threads already run. Sleeps. */
void profil_timer_start_running(void);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
