/* SPDX-License-Identifier: GPL-2.0-only */
/* State of a process that profiling must leave unchanged */
#ifndef PROFIL_TEST_PROCESS_STATE_H
#define PROFIL_TEST_PROCESS_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#define STATE_NAMES 4096

/**
 * struct process_state - descriptors, threads, timers and signals of a process
 * @descriptors: open descriptors and their targets
 * @threads: thread IDs
 * @timers: the interval timers
 * @handlers: handler of each signal
 * @flags: sigaction() flags of each signal
 * @blocked: blocked signals
 */
struct process_state {
	char descriptors[STATE_NAMES];
	char threads[STATE_NAMES];
	struct itimerval timers[3];
	void (*handlers[NSIG])(int);
	int flags[NSIG];
	sigset_t blocked;
};

/* Read into @state, which is zero. False if that is not complete. */
bool process_state_read(struct process_state *state);

/* Whether both are equal; prints a comment on each difference. */
bool process_state_equal(const struct process_state *before,
			 const struct process_state *after);

/* Whether the driver profiles this process */
bool driver_is_on(void);

/* Sampling period of the running profile, 0 without one */
unsigned long long driver_period_ns(void);

/*
 * Whether the running profile ends in a child that executes this program again.
 * The program has to exit with exec_child_status() if that is not 0.
 */
bool exec_ends_profile(void);
int exec_child_status(int argc, char **argv);

#endif /* PROFIL_TEST_PROCESS_STATE_H */
