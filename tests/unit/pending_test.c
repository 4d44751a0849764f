// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/pending.h: each PC comes out as often as it was pushed, in order. Compared with
 * a list of entries, after each of many random pushes and pops.
 */
#include <string.h>

#include "pending.h"
#include "random.h"

#define STEPS 400000
#define MOST_PCS 400
#define ENTRY_MAX 32767 /* samples at one entry */

static struct pending ring;

/* The model: the entries from the oldest on, and the position behind the newest */
static struct entry {
	u64 pc;
	bool kernel;
	u32 samples;
} entries[PENDING_MAX];
static u32 nr_entries, end;

static u32 bucket_of(u64 pc)
{
	return hash_64(pc, PENDING_BITS);
}

/*
 * Empty the ring, with its positions at any number, which may be about to wrap.
 */
static void begin(void)
{
	memset(&ring, 0xa5, sizeof(ring));
	pending_init(&ring);
	end = random_one_in(2) ? (u32)random_u64() : -1000U;
	ring.head = end;
	ring.tail = end;
	nr_entries = 0;
}

/*
 * The entry that takes one more sample, or NULL: the newest one of this PC and mode
 * with room, among the newest ones of its bucket
 */
static struct entry *entry_of(u64 pc, bool kernel)
{
	u32 i, searched = 0;

	for (i = nr_entries; i-- > 0;) {
		struct entry *entry = &entries[i];

		if (bucket_of(entry->pc) != bucket_of(pc))
			continue;
		if (entry->pc == pc && entry->kernel == kernel &&
		    entry->samples < ENTRY_MAX)
			return entry;
		if (++searched == PENDING_SEARCH_MAX)
			break;
	}
	return NULL;
}

/* A sample is refused only if no entry is free. */
static bool push(u64 pc, bool kernel)
{
	bool taken = pending_push(&ring, pc, kernel);
	struct entry *entry = entry_of(pc, kernel);

	if (entry) {
		entry->samples++;
	} else if (nr_entries < PENDING_MAX) {
		entry = &entries[nr_entries++];
		*entry = (struct entry){ pc, kernel, 1 };
		end++;
	}
	CHECK(taken == !!entry);
	CHECK_EQUAL(end, ring.head);
	return true;
}

/* Take the oldest entry, if it is before the position @limit. */
static bool pop_before(u32 limit)
{
	bool kernel = !entries[0].kernel;
	u64 pc = ~entries[0].pc;
	u32 samples = pending_take(&ring, limit, &pc, &kernel);

	if (limit == end - nr_entries) {
		CHECK(!samples && pc == ~entries[0].pc);
		return true;
	}
	CHECK_EQUAL(entries[0].samples, samples);
	CHECK_EQUAL(entries[0].pc, pc);
	CHECK(kernel == entries[0].kernel);
	memmove(entries, entries + 1, --nr_entries * sizeof(*entries));
	return true;
}

static bool pop(void)
{
	return pop_before(end - random_below(nr_entries + 1));
}

static u64 pcs[MOST_PCS];

/* Distinct PCs, @in_bucket all of one bucket, as a program may choose them */
static void choose_pcs(bool in_bucket)
{
	u64 pc = random_u64();

	for (u32 i = 0; i < MOST_PCS; i++) {
		do
			pc++;
		while (in_bucket && bucket_of(pc) != 7);
		pcs[i] = pc;
	}
}

/* The ring fills up and empties in turn, by samples at the first @nr PCs. */
static bool follows_model(u32 nr, bool in_bucket)
{
	u32 i, fill = 0;

	begin();
	choose_pcs(in_bucket);
	for (i = 0; i < STEPS; i++) {
		if (i % 5000 == 0)
			fill = random_below(5) * 2;
		cases_tried++;
		CHECK(random_below(8) < fill ?
			      push(pcs[random_below(nr)], random_one_in(2)) :
			      pop());
	}
	while (nr_entries)
		CHECK(pop_before(end));
	return pop_before(end);
}

TEST("random: few PCs share entries")
{
	return follows_model(16, false);
}

TEST("random: more PCs than entries")
{
	return follows_model(MOST_PCS, false);
}

/* The newest ones are found, the others take another entry. */
TEST("random: PCs of one bucket are not lost while an entry is free")
{
	return follows_model(12, true) && follows_model(MOST_PCS, true);
}

/* A long system call: samples share one entry of each mode, up to its maximal count. */
TEST("one PC takes one entry of each mode, however often it is pushed")
{
	begin();
	choose_pcs(false);
	for (u32 i = 0; i < 5 * ENTRY_MAX; i++, cases_tried++)
		CHECK(push(pcs[0], random_one_in(2)));
	CHECK(nr_entries < 9);
	while (nr_entries)
		CHECK(pop_before(end));
	return pop_before(end);
}
