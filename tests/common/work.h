/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that take CPU time, for a profile to find them by name */
#ifndef TESTS_WORK_H
#define TESTS_WORK_H

#include <time.h>

/* Reading the clock between so many rounds takes next to no time. */
#define WORK_ROUNDS 200000

typedef void (*work_fn)(unsigned long rounds);

/* Define the function @name, which executes @instruction in each round. */
#define WORK_FUNCTION(name, instruction)                            \
	__attribute__((noinline)) void name(unsigned long rounds)   \
	{                                                           \
		while (rounds--)                                    \
			__asm__ volatile(instruction ::: "memory"); \
	}

/* The functions below are not instrumented, so that gcc -pg counts no calls. */
#define WORK_UNCOUNTED __attribute__((no_instrument_function))

/* CPU time of the calling thread */
WORK_UNCOUNTED static inline unsigned long long work_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* Spend at least @ns of CPU time in @work, and return the time that it took. */
WORK_UNCOUNTED static inline unsigned long long work_for(work_fn work,
							 unsigned long long ns)
{
	unsigned long long begin = work_ns(), used = 0;

	while (used < ns) {
		work(WORK_ROUNDS);
		used = work_ns() - begin;
	}
	return used;
}

#endif /* TESTS_WORK_H */
