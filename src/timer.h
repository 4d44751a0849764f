/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timer: an hrtimer for each CPU, armed only while a task runs there whose
 * session it serves. Other programs and idle CPUs are not interrupted. Each CPU
 * has a second one for attached sessions, whose period may be another.
 *
 * The timer expires once in each period since boot, at the times of jitter.h,
 * and not one period after it was armed: so bursts shorter than a period get
 * their share of the samples.
 */
#ifndef PROFIL_TIMER_H
#define PROFIL_TIMER_H

struct session;

/*
 * Arm the timers on CPUs where threads already run that @session profiles: that of
 * current's mm or, with @attached, of an observer. @session has been published,
 * and is compared only: it may have been freed. Sleeps.
 */
void profil_timer_start(const struct session *session, bool attached);

/* Probe switches for either timer, or no more. 0 or an errno. Sleep. */
int profil_timer_attach(void);
void profil_timer_detach(void);
int profil_timer_attach_targets(void);
void profil_timer_detach_targets(void);

int profil_timer_init(void);
void profil_timer_exit(void);

#endif /* PROFIL_TIMER_H */
