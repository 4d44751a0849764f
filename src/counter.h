/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter: 2, 4 or 8 bytes that others, among them the program itself, may
 * write at the same time. No increment is lost, and none goes past the limit.
 */
#ifndef PROFIL_COUNTER_H
#define PROFIL_COUNTER_H

#include <linux/atomic.h>
#include <linux/types.h>

/* What became of an increment. */
enum counter_result {
	COUNTER_ADDED,
	COUNTER_REACHED_FULL, /* added, and there is no more room */
	COUNTER_WAS_FULL,
	COUNTER_ENDED, /* its region counts no more */
	COUNTER_ABSENT, /* its page is not pinned, or others kept writing it */
	COUNTER_DROPPED, /* its page is dropped and not yet taken out */
};

union counter {
	u16 half;
	u32 word;
	u64 longword;
};

static inline u64 counter_load(const union counter *counter, unsigned int shift)
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

/* Raise it if it is @old; returns what it was. */
static inline u64 counter_raise(union counter *counter, unsigned int shift,
				u64 old)
{
	switch (shift) {
	case 1:
		return cmpxchg(&counter->half, old, old + 1);
	case 2:
		return cmpxchg(&counter->word, old, old + 1);
	default:
		return cmpxchg(&counter->longword, old, old + 1);
	}
}

/*
 * How often others may write to a counter between a sample's reading and its
 * writing it. The program may do so all the time, and this is a hard interrupt;
 * the session's work then tries again.
 */
#define COUNTER_TRIES 8

/* Add one, unless it is @max or more; any context. */
static inline enum counter_result counter_add(union counter *counter,
					      unsigned int shift, u64 max)
{
	u64 old = counter_load(counter, shift);
	int tries;

	for (tries = 0; tries < COUNTER_TRIES; tries++) {
		u64 seen;

		if (old >= max)
			return COUNTER_WAS_FULL;
		seen = counter_raise(counter, shift, old);
		if (seen == old)
			return old + 1 == max ? COUNTER_REACHED_FULL :
						COUNTER_ADDED;
		old = seen;
	}
	return COUNTER_ABSENT;
}

#endif /* PROFIL_COUNTER_H */
