/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that spin at sites while the test does something else.
 */
#ifndef PROFIL_TEST_BUSY_THREADS_H
#define PROFIL_TEST_BUSY_THREADS_H

#include <stdbool.h>

#define BUSY_THREADS_MAX 16

/*
 * Start @nr threads, at most BUSY_THREADS_MAX. Thread i spins at site @first +
 * i, or at @first if not @spread. Return 0 or a positive errno.
 */
int busy_threads_begin(unsigned int nr, unsigned int first, bool spread);

/* End and join the threads. */
void busy_threads_end(void);

/* The number of threads that leaves no CPU idle. */
unsigned int busy_threads_for_all_cpus(void);

#endif /* PROFIL_TEST_BUSY_THREADS_H */
