/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers, and tests that try random cases: main() runs them with the seed in the
 * variable SEED, or with a fixed one. A test is false at its first wrong case.
 *
 * The numbers are the same from the same seed, with every compiler. No
 * expression may draw two of them, since the order would depend on the
 * compiler.
 */
#ifndef UNIT_RANDOM_H
#define UNIT_RANDOM_H

#include <linux/types.h>

#include "tap.h"

void random_seed(u64 seed);

u64 random_u64(void);

/* 0 to @limit - 1; @limit is not 0. */
u64 random_below(u64 limit);

/* True once in @n. */
bool random_one_in(u32 n);

/* A number of any magnitude, often close to the limit of a field. */
u64 random_edge(void);

/* A scale, 0 and 1 included: a usual one, one beside a power of 2, or any. */
u32 random_scale(void);

/* Cases that the running test has tried. A test fails without any. */
extern u64 cases_tried;

/* Count a case, and end the test as failed, with a comment, unless @condition holds. */
#define CASE(condition, ...)                   \
	do {                                   \
		cases_tried++;                 \
		if (!(condition)) {            \
			tap_note(__VA_ARGS__); \
			return false;          \
		}                              \
	} while (0)

#endif /* UNIT_RANDOM_H */
