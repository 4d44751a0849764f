/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starvation: CPU 0 is kept busy, so that a process of SCHED_IDLE on it runs for some
 * microseconds in a second. What it holds in the kernel it holds for minutes. Any user
 * can do that; the processes that keep the CPU busy have a priority here, which makes
 * less work do.
 */
#ifndef PROFIL_TEST_STARVATION_H
#define PROFIL_TEST_STARVATION_H

#include <stdbool.h>
#include <sys/types.h>

/* True if the test may do that, and has another CPU for itself. */
bool starvation_works(void);

/*
 * Fork the processes that keep CPU 0 busy from starvation_begin() on, and move the
 * caller to CPU 1. 0 or a negative errno.
 */
int starvation_prepare(void);
void starvation_begin(void);
void starvation_end(void);

/* The calling process is starved while CPU 0 is busy. 0 or a negative errno. */
int starve(void);

/* The calling process has the other CPU for itself. 0 or a negative errno. */
int starvation_avoid(void);

/* Fork a process of @user that runs @body, and is killed when the caller ends. */
pid_t fork_user(uid_t user, void (*body)(void *argument), void *argument);

/*
 * True if @act(@argument) returns 0 in a process of @user within TIMEOUT_NS. The
 * process may be one that cannot be killed before starvation_end().
 */
bool returns_for(uid_t user, int (*act)(void *argument), void *argument);

#endif /* PROFIL_TEST_STARVATION_H */
