// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/pending.h: each PC comes out as often as it was pushed, in order.
 * Compared with a plain count of all pushes.
 */
#include <string.h>

#include "pending.h"
#include "random.h"
#include "random_cases.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_PUSHED 50000
#define ENTRY_MAX 32767 /* samples at one entry */

static struct pending ring;

/*
 * Empty the ring, with its positions at @position, which may be about to wrap.
 */
static void begin(u32 position)
{
	memset(&ring, 0xa5, sizeof(ring));
	pending_init(&ring);
	ring.head = position;
	ring.tail = position;
}

static bool push(u64 pc)
{
	return pending_push(&ring, pc, false);
}

/* Pop the oldest PC; false unless it is @pc in a mode, with @count samples. */
static bool pops_mode(u64 pc, bool kernel, u32 count)
{
	bool mode = !kernel;
	u64 seen = ~pc;
	u32 samples = pending_peek(&ring, &seen, &mode);

	cases_tried++;
	if (samples != count || seen != pc || mode != kernel) {
		tap_note("pc %llu: expected %u, is pc %llu: %u", pc, count,
			 seen, samples);
		return false;
	}
	pending_pop(&ring);
	return true;
}

static bool pops(u64 pc, u32 count)
{
	return pops_mode(pc, false, count);
}

static bool is_empty(void)
{
	bool kernel = true;
	u64 pc = 5;

	return !pending_peek(&ring, &pc, &kernel) && pc == 5 && kernel;
}

static bool keeps_order_at(u32 position)
{
	u64 pc;

	begin(position);
	for (pc = 0; pc < PENDING_MAX; pc++)
		if (!push(pc))
			return false;
	if (push(pc))
		return false;
	for (pc = 0; pc < PENDING_MAX; pc++)
		if (!pops(pc, 1))
			return false;
	return is_empty();
}

TEST("different PCs come out in order, PENDING_MAX of them")
{
	return keeps_order_at(0) && keeps_order_at(-100U) &&
	       keeps_order_at(0x7fffffff);
}

/*
 * A long system call: the work is processing the oldest entry, and all further
 * samples share one entry, up to its maximal count.
 */
TEST("one PC takes one entry, however often it is pushed")
{
	u32 i;

	begin(0);
	for (i = 0; i < MAX_PUSHED; i++) {
		u32 entries = 1 + (i >= 1) + (i >= 1 + ENTRY_MAX);

		if (!push(7) || pending_position(&ring) != entries)
			return false;
	}
	return pops(7, 1) && pops(7, ENTRY_MAX) &&
	       pops(7, MAX_PUSHED - ENTRY_MAX - 1) && is_empty();
}

/* Samples of the two modes at one PC have an entry each, and share a bucket. */
TEST("one PC takes an entry for each mode")
{
	u32 i;

	begin(0);
	push(1);
	for (i = 0; i < 2 * ENTRY_MAX; i++)
		if (!pending_push(&ring, 7, i % 2))
			return false;
	return pending_position(&ring) == 3 && pops(1, 1) &&
	       pops_mode(7, false, ENTRY_MAX) &&
	       pops_mode(7, true, ENTRY_MAX) && is_empty();
}

/* The next PC after @pc in the same bucket. */
static u64 next_in_bucket(u64 pc)
{
	u32 bucket = hash_64(pc, PENDING_BITS);

	do {
		pc++;
	} while (hash_64(pc, PENDING_BITS) != bucket);
	return pc;
}

/*
 * A program has chosen PCs of one bucket. The newest ones are found, the others
 * take another entry. No sample is lost while an entry is free, and each PC
 * comes out as often as it was pushed.
 */
TEST("PCs of one bucket are not lost while an entry is free")
{
	u32 i, entries = 2 * PENDING_SEARCH_MAX + 1;
	u64 pc = 0;

	begin(-5U);
	for (i = 0; i < entries; i++, pc = next_in_bucket(pc))
		if (!push(pc))
			return false;
	for (i = 0, pc = 0; i < entries; i++, pc = next_in_bucket(pc)) {
		u32 before = pending_position(&ring);

		if (!push(pc))
			return false;
		cases_tried++;
		/* The PCs that are searched now are those just pushed. */
		if (pending_position(&ring) != before + 1)
			return false;
		if (!push(pc) || pending_position(&ring) != before + 1)
			return false;
	}
	for (i = 0, pc = 0; i < entries; i++, pc = next_in_bucket(pc))
		if (!pops(pc, 1))
			return false;
	for (i = 0, pc = 0; i < entries; i++, pc = next_in_bucket(pc))
		if (!pops(pc, 2))
			return false;
	return is_empty();
}

/*
 * A full ring still counts at the PCs in it, but for the oldest. Consecutive
 * PCs are spread over the buckets, so that each of them is found.
 */
TEST("a full ring counts more samples at its PCs")
{
	u64 pc;

	begin(0);
	for (pc = 0; pc < PENDING_MAX; pc++)
		push(pc);
	if (push(0) || push(PENDING_MAX))
		return false;
	for (pc = 1; pc < PENDING_MAX; pc++)
		if (!push(pc))
			return false;
	if (!pops(0, 1))
		return false;
	for (pc = 1; pc < PENDING_MAX; pc++)
		if (!pops(pc, 2))
			return false;
	return is_empty();
}

/*
 * The ring passes a position after as many pops as there were PCs, whatever is
 * pushed meanwhile.
 */
TEST("a position is passed, whatever is pushed after it")
{
	u32 position, pops, pc;

	begin(-2U);
	for (pc = 0; pc < 5; pc++)
		push(pc);
	position = pending_position(&ring);
	for (pops = 0; pops < 5; pops++) {
		cases_tried++;
		if (pending_passed(&ring, position))
			return false;
		for (pc = 0; pc < 5; pc++)
			push(pc);
		pending_pop(&ring);
	}
	return pending_passed(&ring, position);
}

/* The model: the number of samples at each PC, in each mode. */
#define NR_PCS 400
static u32 model[NR_PCS][2];

static bool push_any(u64 *in)
{
	u64 pc = random_below(random_one_in(2) ? NR_PCS : 16);
	bool kernel = random_one_in(2);
	bool taken = pending_push(&ring, pc, kernel);

	if (!taken && *in < PENDING_MAX)
		return false;
	model[pc][kernel] += taken;
	*in += taken;
	return true;
}

static bool pop_any(u64 *in)
{
	u32 samples;
	bool kernel;
	u64 pc;

	samples = pending_peek(&ring, &pc, &kernel);
	if (!samples)
		return !*in;
	if (pc >= NR_PCS || model[pc][kernel] < samples)
		return false;
	pending_pop(&ring);
	model[pc][kernel] -= samples;
	*in -= samples;
	return true;
}

TEST("random: no sample is lost or added")
{
	u64 in = 0;
	u32 i;

	begin((u32)random_u64());
	memset(model, 0, sizeof(model));
	for (i = 0; i < 2000000; i++) {
		/* The ring fills up and empties by turns. */
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

int main(int argc, char **argv)
{
	return cases_run(argc, argv);
}
