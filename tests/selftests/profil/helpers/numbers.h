/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers, which never wait for the kernel's, and which a seed repeats
 */
#ifndef PROFIL_TEST_NUMBERS_H
#define PROFIL_TEST_NUMBERS_H

#include <linux/types.h>

/* Begin with the seed in the environment's SEED, or with a new one. The seed */
__u64 random_begin(void);

/* The next number; a child by fork() continues with the numbers of its parent. */
__u64 random_next(void);

#endif /* PROFIL_TEST_NUMBERS_H */
