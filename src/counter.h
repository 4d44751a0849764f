/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter: 2, 4 or 8 bytes that the program and other CPUs may write at the
 * same time. No increment overwrites another, and none exceeds the maximum.
 */
#ifndef PROFIL_COUNTER_H
#define PROFIL_COUNTER_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* The result of an increment. */
enum counter_result {
	COUNTER_ADDED,
	COUNTER_REACHED_FULL, /* added, and the counter is now at its maximum */
	COUNTER_WAS_FULL,
	COUNTER_ENDED, /* the region does not count any more */
	COUNTER_ABSENT, /* page not pinned, or the counter kept changing */
};

union counter {
	u16 half;
	u32 word;
	u64 longword;
};

static __always_inline u64 counter_load(const union counter *counter,
					unsigned int shift)
{
	switch (shift) {
	case 1:
		return READ_ONCE(counter->half);
	case 2:
		return READ_ONCE(counter->word);
	default:
		return READ_ONCE(counter->longword);
	}
}

/* Set @counter to @new if its value is *@old; else set *@old to its value. */
static __always_inline bool counter_raise(union counter *counter,
					  unsigned int shift, u64 *old, u64 new)
{
	u16 half = *old;
	u32 word = *old;
	bool done;

	switch (shift) {
	case 1:
		done = try_cmpxchg(&counter->half, &half, new);
		*old = half;
		return done;
	case 2:
		done = try_cmpxchg(&counter->word, &word, new);
		*old = word;
		return done;
	default:
		return try_cmpxchg(&counter->longword, old, new);
	}
}

/* The program may write the counter all the time: the sample is deferred then. */
#define COUNTER_TRIES 8

static __always_inline enum counter_result
counter_try(union counter *counter, unsigned int shift, u64 max)
{
	u64 old = counter_load(counter, shift);
	int tries;

	for (tries = 0; tries < COUNTER_TRIES; tries++) {
		u64 new = old + 1;

		if (old >= max)
			return COUNTER_WAS_FULL;
		if (!likely(counter_raise(counter, shift, &old, new)))
			continue;
		if (unlikely(new == max))
			return COUNTER_REACHED_FULL;
		return COUNTER_ADDED;
	}
	return COUNTER_ABSENT;
}

/* Increment @counter, unless it is @max or more. Any context. Tests the width once. */
static __always_inline enum counter_result
counter_add(union counter *counter, unsigned int shift, u64 max)
{
	switch (shift) {
	case 1:
		return counter_try(counter, 1, max);
	case 2:
		return counter_try(counter, 2, max);
	default:
		return counter_try(counter, 3, max);
	}
}

#endif /* PROFIL_COUNTER_H */
