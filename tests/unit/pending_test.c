// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/pending.h with the driver's sizes. tests/proof/pending.sh proves that no sample is
 * lost or invented, whatever has been pushed, and that PCs come out in order. Here
 * samples at one PC share entries, as long as the ring is not full.
 */
#include <string.h>

#include "pending.h"
#include "tap.h"

#define ENTRY_MAX 65535 /* samples at one entry */

static struct pending ring;

/* An empty ring, whose positions are about to wrap */
static void begin(void)
{
	memset(&ring, 0xa5, sizeof(ring));
	pending_init(&ring);
	ring.head = -10U;
	ring.tail = -10U;
}

/* Is this the oldest entry? */
static bool takes(u64 pc, u32 samples)
{
	u64 at = ~pc;

	CHECK_EQUAL(samples, pending_take(&ring, ring.head, &at));
	CHECK_EQUAL(pc, at);
	return true;
}

static bool is_empty(void)
{
	u64 pc;

	return !pending_take(&ring, ring.head, &pc);
}

/* A long system call */
TEST("one PC takes one entry up to its maximal count, then another")
{
	begin();
	for (u32 i = 0; i < ENTRY_MAX + 1; i++)
		CHECK(pending_push(&ring, 0x1234));
	return takes(0x1234, ENTRY_MAX) && takes(0x1234, 1) && is_empty();
}

TEST("a full ring takes more samples at its PCs, and no other PC")
{
	begin();
	for (u64 pc = 0; pc < PENDING_MAX; pc++)
		CHECK(pending_push(&ring, pc));
	CHECK(!pending_push(&ring, PENDING_MAX));
	CHECK(pending_push(&ring, PENDING_MAX - 1));
	for (u64 pc = 0; pc < PENDING_MAX; pc++)
		CHECK(takes(pc, 1 + (pc == PENDING_MAX - 1)));
	return is_empty();
}

/* Also where the new entry is in the place of the old one */
TEST("a PC that is not in the ring any more takes a new entry")
{
	begin();
	for (u32 i = 0; i < 3 * PENDING_MAX; i++) {
		u64 pc = i % PENDING_MAX ? 1 : 2;

		CHECK(pending_push(&ring, pc));
		CHECK(takes(pc, 1));
	}
	return is_empty();
}

/* The PC at @i of those in one bucket, as a program may choose them */
static u64 in_bucket(u32 i)
{
	u64 pc = 0;

	for (i++; i; i -= hash_64(pc, PENDING_BITS) == 7)
		pc++;
	return pc;
}

/* A push has a bound: the PCs of a bucket that came last are found. */
TEST("the newest PCs of a bucket take no other entry")
{
	const u32 nr = PENDING_SEARCH_MAX + 1;

	begin();
	for (u32 i = 0; i < nr; i++)
		CHECK(pending_push(&ring, in_bucket(i)));
	for (u32 i = 0; i < nr; i++)
		CHECK(pending_push(&ring, in_bucket(nr - 1 - i)));
	for (u32 i = 0; i < nr; i++)
		CHECK(takes(in_bucket(i), i ? 2 : 1));
	return takes(in_bucket(0), 1) && is_empty();
}
