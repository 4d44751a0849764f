/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that keep the CPUs busy at sites while the test does something else.
 */
#ifndef PROFIL_TEST_BUSY_THREADS_H
#define PROFIL_TEST_BUSY_THREADS_H

#define BUSY_THREADS_MAX 16

/*
 * Begin @nr threads, at most BUSY_THREADS_MAX, that spin at sites @first, @first + 1
 * and so on, or all at @first if not @spread. 0 or a positive errno.
 */
int busy_threads_begin(unsigned int nr, unsigned int first, bool spread);

/* End them, and wait till they have. */
void busy_threads_end(void);

/* As many as there are CPUs, so that none is idle. */
unsigned int busy_threads_for_all_cpus(void);

/* For pthread_create(): spin at the site for 600 ms of CPU time. */
void *spin_600_ms(void *site);

#endif /* PROFIL_TEST_BUSY_THREADS_H */
