/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for random cases: the same from the same seed, with every compiler.
 * So that this holds, no expression draws two of them.
 */
#ifndef UNIT_RANDOM_H
#define UNIT_RANDOM_H

#include <linux/types.h>

void random_seed(u64 seed);

u64 random_u64(void);

/* 0 to @limit - 1; @limit is not 0. */
u64 random_below(u64 limit);

/* True once in @n. */
bool random_one_in(u32 n);

/* Any magnitude, and often close to where a carry or a field ends. */
u64 random_edge(void);

/* A scale, 0 and 1 too: a usual one, one beside a power of 2, or any. */
u32 random_scale(void);

#endif /* UNIT_RANDOM_H */
