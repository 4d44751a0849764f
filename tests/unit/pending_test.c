// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/pending.h: what goes in comes out, as often and no later than it should.
 * Held against a plain list of all that was pushed.
 */
#include <string.h>

#include "pending.h"
#include "random.h"
#include "random_cases.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_PUSHED 100000
#define PLACE_MAX 65535 /* samples at one place */

static struct pending ring;

/* Begin where the positions are about to wrap, or anywhere else. */
static void begin(u32 position)
{
	memset(&ring, 0xa5, sizeof(ring));
	pending_init(&ring);
	ring.head = position;
	ring.tail = position;
}

/* Take the oldest PC out; false unless it is @pc, with @count samples. */
static bool pops(u64 pc, u32 count)
{
	u64 seen = ~pc;
	u32 samples = pending_peek(&ring, &seen);

	cases_tried++;
	if (samples != count || seen != pc) {
		tap_note("pc %llu: expected %u, is pc %llu: %u", pc, count,
			 seen, samples);
		return false;
	}
	pending_pop(&ring);
	return true;
}

static bool is_empty(void)
{
	u64 pc = 5;

	return !pending_peek(&ring, &pc) && pc == 5;
}

static bool keeps_order_at(u32 position)
{
	u64 pc;

	begin(position);
	for (pc = 0; pc < PENDING_MAX; pc++)
		if (!pending_push(&ring, pc))
			return false;
	if (pending_push(&ring, pc))
		return false;
	for (pc = 0; pc < PENDING_MAX; pc++)
		if (!pops(pc, 1))
			return false;
	return is_empty();
}

static bool keeps_order(void)
{
	return keeps_order_at(0) && keeps_order_at(-100U) &&
	       keeps_order_at(0x7fffffff);
}

/*
 * A long system call: the oldest is in the work's hands, the rest is one, up to
 * what a place can tell.
 */
static bool one_place_for_one_pc(void)
{
	u32 i;

	begin(0);
	for (i = 0; i < MAX_PUSHED; i++) {
		u32 places = 1 + (i >= 1) + (i >= 1 + PLACE_MAX);

		if (!pending_push(&ring, 7) ||
		    pending_position(&ring) != places)
			return false;
	}
	return pops(7, 1) && pops(7, PLACE_MAX) &&
	       pops(7, MAX_PUSHED - PLACE_MAX - 1) && is_empty();
}

/* The next PC after @pc of the same bucket. */
static u64 next_in_bucket(u64 pc)
{
	u32 bucket = hash_64(pc, PENDING_BITS);

	do {
		pc++;
	} while (hash_64(pc, PENDING_BITS) != bucket);
	return pc;
}

/*
 * PCs that a program has chosen to be in one bucket: the newest are found, the
 * others take places anew. None is lost while there is a place, and each comes
 * out as often as it went in.
 */
static bool crowded_bucket_loses_nothing(void)
{
	u32 i, places = 2 * PENDING_SEARCH_MAX + 1;
	u64 pc = 0;

	begin(-5U);
	for (i = 0; i < places; i++, pc = next_in_bucket(pc))
		if (!pending_push(&ring, pc))
			return false;
	for (i = 0, pc = 0; i < places; i++, pc = next_in_bucket(pc)) {
		u32 before = pending_position(&ring);

		if (!pending_push(&ring, pc))
			return false;
		cases_tried++;
		/* by now all that are looked at are those just pushed */
		if (pending_position(&ring) != before + 1)
			return false;
		if (!pending_push(&ring, pc) ||
		    pending_position(&ring) != before + 1)
			return false;
	}
	for (i = 0, pc = 0; i < places; i++, pc = next_in_bucket(pc))
		if (!pops(pc, 1))
			return false;
	for (i = 0, pc = 0; i < places; i++, pc = next_in_bucket(pc))
		if (!pops(pc, 2))
			return false;
	return is_empty();
}

/*
 * A full ring still takes what it has, but for the oldest. These PCs, one after
 * the other, are spread over the buckets, none of which is looked at in vain.
 */
static bool full_ring_counts_on(void)
{
	u64 pc;

	begin(0);
	for (pc = 0; pc < PENDING_MAX; pc++)
		pending_push(&ring, pc);
	if (pending_push(&ring, 0) || pending_push(&ring, PENDING_MAX))
		return false;
	for (pc = 1; pc < PENDING_MAX; pc++)
		if (!pending_push(&ring, pc))
			return false;
	if (!pops(0, 1))
		return false;
	for (pc = 1; pc < PENDING_MAX; pc++)
		if (!pops(pc, 2))
			return false;
	return is_empty();
}

/*
 * What was pushed before a position is done with when the ring has passed it,
 * with what came to the same PCs meanwhile: as many pops as there were PCs.
 */
static bool position_is_passed(void)
{
	u32 position, pops, pc;

	begin(-2U);
	for (pc = 0; pc < 5; pc++)
		pending_push(&ring, pc);
	position = pending_position(&ring);
	for (pops = 0; pops < 5; pops++) {
		cases_tried++;
		if (pending_passed(&ring, position))
			return false;
		for (pc = 0; pc < 5; pc++)
			pending_push(&ring, pc);
		pending_pop(&ring);
	}
	return pending_passed(&ring, position);
}

/* The model: how often each of a few PCs is in. */
#define NR_PCS 400
static u32 model[NR_PCS];

static bool push_any(u64 *in)
{
	u64 pc = random_below(random_one_in(2) ? NR_PCS : 16);
	bool taken = pending_push(&ring, pc);

	if (!taken && *in < PENDING_MAX)
		return false;
	model[pc] += taken;
	*in += taken;
	return true;
}

static bool pop_any(u64 *in)
{
	u32 samples;
	u64 pc;

	samples = pending_peek(&ring, &pc);
	if (!samples)
		return !*in;
	if (pc >= NR_PCS || model[pc] < samples)
		return false;
	pending_pop(&ring);
	model[pc] -= samples;
	*in -= samples;
	return true;
}

static bool nothing_is_lost_or_made_up(void)
{
	u64 in = 0;
	u32 i;

	begin((u32)random_u64());
	memset(model, 0, sizeof(model));
	for (i = 0; i < 2000000; i++) {
		/* now rather filling it, now rather emptying it */
		bool fill = random_below(8) < (i / 5000 % 2 ? 6 : 2);

		cases_tried++;
		if (!(fill ? push_any(&in) : pop_any(&in))) {
			tap_note("step %u, %llu in the ring", i, in);
			return false;
		}
	}
	while (in)
		if (!pop_any(&in))
			return false;
	return is_empty();
}

static const struct tap_test tests[] = {
	{ "different PCs come out in order, as many as there is room for",
	  keeps_order },
	{ "one PC takes one place, however often it comes",
	  one_place_for_one_pc },
	{ "a full ring counts on at what it has", full_ring_counts_on },
	{ "PCs of one bucket are not lost while there is a place",
	  crowded_bucket_loses_nothing },
	{ "a position is passed, whatever comes after it", position_is_passed },
	{ "random: nothing is lost or made up", nothing_is_lost_or_made_up },
};

int main(int argc, char **argv)
{
	return cases_run(argc, argv, tests, ARRAY_SIZE(tests));
}
