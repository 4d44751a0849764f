/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that keep the CPUs busy at sites while the test does something else.
 */
#ifndef PROFIL_TEST_CROWD_H
#define PROFIL_TEST_CROWD_H

#define CROWD_MAX 16

/*
 * Begin @nr threads, at most CROWD_MAX, that spin at sites @first, @first + 1
 * and so on, or all at @first if not @spread. 0 or a positive errno.
 */
int crowd_begin(unsigned int nr, unsigned int first, bool spread);

/* End them, and wait till they have. */
void crowd_end(void);

/* As many as there are CPUs, so that none is idle. */
unsigned int crowd_of_cpus(void);

#endif /* PROFIL_TEST_CROWD_H */
