// SPDX-License-Identifier: GPL-2.0-only
#include "numbers.h"

#include "common.h"

static __u64 state = 1;

__u64 random_begin(void)
{
	const char *seed = getenv("SEED");

	state = seed ? strtoull(seed, NULL, 0) : wall_ns() % 1000000000;
	return state;
}

/* splitmix64: any state is a good one. */
__u64 random_next(void)
{
	__u64 bits = state += 0x9e3779b97f4a7c15;

	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
	return bits ^ bits >> 31;
}
