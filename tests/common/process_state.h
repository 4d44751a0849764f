/* SPDX-License-Identifier: GPL-2.0-only */
/* What the library must leave as it is in a process that calls it */
#ifndef TESTS_PROCESS_STATE_H
#define TESTS_PROCESS_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#define STATE_NAMES 4096

/**
 * struct state - of a process
 * @descriptors: the open ones, and what they lead to
 * @threads: their numbers
 * @timers: the interval timers' intervals
 * @handlers: what is done at each signal
 * @flags: how
 * @blocked: signals that are blocked
 */
struct state {
	char descriptors[STATE_NAMES];
	char threads[STATE_NAMES];
	struct timeval timers[3];
	void (*handlers[NSIG])(int);
	int flags[NSIG];
	sigset_t blocked;
};

/* @state has to be zero. False if it cannot be read whole. */
bool state_read(struct state *state);

/* Whether they are the same; what differs is said in comments. */
bool state_equal(const struct state *one, const struct state *other);

/* Whether the driver keeps a profile of this process. */
bool driver_is_on(void);

/* The period of that profile, 0 if there is none */
unsigned long long driver_period_ns(void);

/*
 * Whether the profile that is on ends in a child that executes this program
 * anew. The program has to end by is_on_status() if that is not 0.
 */
bool exec_ends_profile(void);
int is_on_status(int argc, char **argv);

/* The samples that it has taken */
unsigned long long driver_samples(void);

#endif /* TESTS_PROCESS_STATE_H */
