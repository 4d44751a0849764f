// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/counter.h: an increment that other CPUs disturb succeeds in the end or is
 * given up after eight attempts, and neither overwrites a value nor exceeds the
 * maximum.
 */
#include <linux/types.h>

#include "counter.h"
#include "random_cases.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

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

static u64 largest(unsigned int shift)
{
	return U64_MAX >> (64 - (8 << shift));
}

struct outcome {
	enum counter_result result;
	u64 value;
};

/* Increment @value, disturbed @times. */
static struct outcome increment(unsigned int shift, u64 value,
				unsigned int times)
{
	union counter counter = { .longword = value };
	struct outcome outcome;

	attempts = 0;
	disturbed = times;
	cases_tried++;
	outcome.result = counter_add(&counter, shift, largest(shift));
	outcome.value = counter_load(&counter, shift);
	return outcome;
}

static bool is(struct outcome outcome, enum counter_result result, u64 value)
{
	if (outcome.result == result && outcome.value == value)
		return true;
	tap_note("result %d, value %llu; not %d, %llu", outcome.result,
		 outcome.value, result, value);
	return false;
}

TEST("an increment that is disturbed is repeated")
{
	unsigned int shift, times;

	for (shift = 1; shift <= 3; shift++)
		for (times = 0; times < MOST_ATTEMPTS; times++)
			if (!is(increment(shift, 5, times), COUNTER_ADDED,
				5 + times + 1))
				return false;
	return true;
}

TEST("an increment that is always disturbed is given up")
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++)
		if (!is(increment(shift, 5, -1U), COUNTER_ABSENT,
			5 + MOST_ATTEMPTS) ||
		    attempts != MOST_ATTEMPTS)
			return false;
	return true;
}

/* Another CPU may be the one that fills the counter. */
TEST("a full counter stays full")
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++) {
		u64 max = largest(shift);

		if (!is(increment(shift, max - 1, 0), COUNTER_REACHED_FULL,
			max) ||
		    !is(increment(shift, max - 1, 1), COUNTER_WAS_FULL, max) ||
		    !is(increment(shift, max, 0), COUNTER_WAS_FULL, max))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	return cases_run(argc, argv);
}
