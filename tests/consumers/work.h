/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that the compiler inlines into others */
#ifndef TESTS_CONSUMERS_WORK_H
#define TESTS_CONSUMERS_WORK_H

static inline __attribute__((always_inline)) unsigned int
square(unsigned int number)
{
	unsigned int result = number * number;

	return result ^ (result >> 3);
}

/* Inlined within inlined code */
static inline __attribute__((always_inline)) unsigned int
square_of_sum(unsigned int one, unsigned int other)
{
	unsigned int sum = one + other;

	return square(sum) + square(sum >> 1);
}

#endif
