// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/counter.h: an increment that other CPUs disturb succeeds in the end or is
 * given up after eight attempts, and neither overwrites a value nor exceeds the
 * maximum.
 */
#include <linux/types.h>

#include "counter.h"
#include "random.h"

/* The bound of design.rst on the attempts in an interrupt */
#define MOST_ATTEMPTS 8

/* Attempts so far, and how many of them another CPU disturbs */
static unsigned int attempts, disturbed;

/* Another CPU adds 1 before the exchange. */
void before_cmpxchg(void *at, size_t size)
{
	if (attempts++ >= disturbed)
		return;
	if (size == 2)
		++*(u16 *)at;
	else if (size == 4)
		++*(u32 *)at;
	else
		++*(u64 *)at;
}

/* Is this the result, with this value, of each width's increment that is disturbed? */
static bool gives(bool near_full, u64 first, unsigned int times,
		  enum counter_result result, u64 value)
{
	for (unsigned int shift = 1; shift <= 3; shift++) {
		u64 max = U64_MAX >> (64 - (8 << shift));
		u64 base = near_full ? max : 0;
		union counter counter = { .longword = base + first };

		attempts = 0;
		disturbed = times;
		cases_tried++;
		CHECK_EQUAL(result, counter_add(&counter, shift, max));
		CHECK_EQUAL(base + value, counter_load(&counter, shift));
	}
	return true;
}

TEST("an increment that is disturbed is repeated")
{
	for (unsigned int times = 0; times < MOST_ATTEMPTS; times++)
		CHECK(gives(false, 5, times, COUNTER_ADDED, 5 + times + 1));
	return true;
}

TEST("an increment that is always disturbed is given up")
{
	return gives(false, 5, -1U, COUNTER_ABSENT, 5 + MOST_ATTEMPTS) &&
	       attempts == MOST_ATTEMPTS;
}

/* Another CPU may be the one that fills the counter. */
TEST("a full counter stays full")
{
	return gives(true, -1, 0, COUNTER_REACHED_FULL, 0) &&
	       gives(true, -1, 1, COUNTER_WAS_FULL, 0) &&
	       gives(true, 0, 0, COUNTER_WAS_FULL, 0);
}
