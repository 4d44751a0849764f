// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proofs about src/counter.h: an increment among other counters, while the
 * program and other CPUs write whatever they like before each access.
 */
#include <linux/types.h>

#include "proof.h"
#include "counter.h"

/* The documented number of exchanges in an interrupt */
#define MOST_EXCHANGES 8

/* A counter of @width bytes at @at, and others beside it */
static u8 bytes[16];
static u8 *at;
static u32 width;

/* The bytes as others have left them, and whether others write at all */
static u8 left[16];
static bool alone;

/* What the increment has read last, and written */
static u64 last_seen;
static u32 exchanges, failures, writes;
static u64 maximum;

static void others_write(void)
{
	if (!alone)
		__CPROVER_havoc_object(bytes);
	__CPROVER_array_copy(left, bytes);
}

static void note_read(u64 seen)
{
	last_seen = seen;
}

static void note_exchange(u64 seen, u64 new, size_t size, bool done)
{
	prove(size == width, "the exchange has the counter's width");
	exchanges++;
	if (done) {
		prove(seen < maximum, "a full counter is not written");
		prove(new == seen + 1,
		      "one is added, and nothing wraps around");
		writes++;
	} else {
		prove(!alone, "an exchange fails only because others write");
		failures++;
	}
	last_seen = seen;
}

/* The value of the counter's bytes in @all, least first */
static u64 value_in(const u8 *all)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < 8; i++)
		if (i < width)
			value |= (u64)all[at - bytes + i] << 8 * i;
	return value;
}

static enum counter_result increment(u32 shift)
{
	u32 place = nondet_u32();

	width = 1U << shift;
	assume(place <= 8 && place % width == 0);
	at = bytes + place;
	maximum = nondet_u64();
	assume(maximum && maximum <= U64_MAX >> (64 - 8 * width));
	__CPROVER_havoc_object(bytes);
	alone = nondet_bool();
	return counter_add((union counter *)at, shift, maximum);
}

static void check_value(enum counter_result result, u32 added)
{
	prove(value_in(bytes) == value_in(left) + added,
	      "the counter is one more, or as others have left it");
	prove(result != COUNTER_REACHED_FULL || value_in(bytes) == maximum,
	      "a counter that the result calls full is full");
	prove(result != COUNTER_ADDED || value_in(bytes) < maximum,
	      "a counter that is full has the result for it");
	prove(result != COUNTER_WAS_FULL || last_seen >= maximum,
	      "a counter is full before only if it has been read as such");
}

static void check_end(enum counter_result result)
{
	prove(exchanges <= MOST_EXCHANGES, "the exchanges are bounded");
	prove(result <= COUNTER_WAS_FULL || result == COUNTER_ABSENT,
	      "there is no other result");
	prove(result != COUNTER_ABSENT || failures == MOST_EXCHANGES,
	      "an increment is given up only after all exchanges have failed");
	prove(!alone || (result != COUNTER_ABSENT && exchanges <= 1),
	      "without others an increment has its result at once");
}

/*
 * One is added once if the result says so, and else nothing is written. An
 * increment is given up after eight exchanges that others have disturbed.
 */
static void check_increment(u32 shift)
{
	enum counter_result result = increment(shift);
	bool added = result == COUNTER_ADDED || result == COUNTER_REACHED_FULL;
	u32 i = nondet_u32();

	prove(writes == added, "a counter that is added to is written once");
	check_value(result, added);
	check_end(result);
	assume(i < sizeof(bytes));
	if (bytes[i] != left[i])
		prove(bytes + i >= at && bytes + i < at + width,
		      "bytes beside the counter are as others have left them");
}

void increment_of_2_bytes(void)
{
	check_increment(1);
}

void increment_of_4_bytes(void)
{
	check_increment(2);
}

void increment_of_8_bytes(void)
{
	check_increment(3);
}
