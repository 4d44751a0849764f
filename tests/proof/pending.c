// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proofs about src/pending.h: each function from any state of the ring that the
 * invariant allows, with any hash. A proof looks at one entry, or at two, which
 * may be any. pending.sh says which sizes of the ring are proven.
 *
 * The invariant is that the ring has at most PENDING_MAX entries, each with a
 * sample. The hash table may lead to any entries.
 */
#include "pending.h"

static struct pending ring;
static struct pending before;

static u32 any_index(void)
{
	u32 index = nondet_u32();

	assume(index < PENDING_MAX);
	return index;
}

/* The number of older entries */
static u32 age(const struct pending *of, u32 i)
{
	return (i - of->tail) % PENDING_MAX;
}

static u32 length(const struct pending *of)
{
	return of->head - of->tail;
}

static bool is_in(const struct pending *of, u32 i)
{
	return age(of, i) < length(of);
}

static bool invariant(const struct pending *of, u32 i)
{
	return length(of) <= PENDING_MAX && (!is_in(of, i) || of->samples[i]);
}

static bool is_same(u32 i)
{
	return ring.pc[i] == before.pc[i] &&
	       ring.samples[i] == before.samples[i];
}

static u32 looked_at[2];

/* In the driver's ring the type of an index ensures this. */
static void assume_indices(void)
{
	u32 i;

	for (i = 0; i < PENDING_MAX; i++)
		assume(ring.older[i] < PENDING_MAX);
	for (i = 0; i < 1 << PENDING_BITS; i++)
		assume(ring.newest[i] < PENDING_MAX);
}

/* Before the lock is taken: any state, the beginning of a proof */
static void others_run(void)
{
	bool held = ring.lock.held;

	__CPROVER_havoc_object(&ring);
	ring.lock.held = held;
	assume_indices();
	assume(invariant(&ring, looked_at[0]));
	assume(invariant(&ring, looked_at[1]));
	before = ring;
}

static void look_at_any(void)
{
	looked_at[0] = any_index();
	looked_at[1] = any_index();
}

static bool is_appended(void)
{
	return ring.head != before.head;
}

/* Has an entry changed that was in the ring before? */
static bool has_changed(u32 i)
{
	return is_in(&before, i) && !is_same(i);
}

static bool any_has_changed(void)
{
	bool any = false;
	u32 i;

	for (i = 0; i < PENDING_MAX; i++)
		any |= has_changed(i);
	return any;
}

static void check_appended(u64 pc)
{
	u32 at = before.head % PENDING_MAX;

	prove(ring.head == before.head + 1, "one entry is appended");
	prove(!is_in(&before, at), "it replaces none");
	prove(ring.pc[at] == pc, "it is for the sample");
	prove(ring.samples[at] == 1, "it has one sample");
}

/* An entry of the ring has one sample more. */
static void check_counted(u64 pc, u32 i)
{
	prove(ring.pc[i] == pc, "the entry is for the sample");
	prove(ring.samples[i] == before.samples[i] + 1,
	      "the entry has one sample more");
}

/* A push that succeeds adds one sample to one entry, and changes no other. */
void push_adds_one_sample(void)
{
	u64 pc = nondet_u64();
	bool taken;
	u32 i, j;

	look_at_any();
	i = looked_at[0];
	j = looked_at[1];
	taken = pending_push(&ring, pc);
	prove(!ring.lock.held, "the lock is released");
	prove(ring.tail == before.tail, "no entry is removed");
	prove(invariant(&ring, i), "the invariant is kept");
	if (is_appended())
		check_appended(pc);
	if (has_changed(i))
		check_counted(pc, i);
	prove(!has_changed(i) || (taken && !is_appended()),
	      "nothing else is changed");
	prove(i == j || !has_changed(i) || !has_changed(j),
	      "one entry is changed");
	prove(taken || length(&before) == PENDING_MAX,
	      "a sample is refused only if the ring is full");
}

/* A push that succeeds changes something. */
void push_loses_no_sample(void)
{
	bool taken;

	look_at_any();
	taken = pending_push(&ring, nondet_u64());
	prove(!taken || is_appended() || any_has_changed(),
	      "a sample that is not refused is in the ring");
}

/* The oldest entry is read whole and removed, and no other, up to a position. */
void take_removes_oldest(void)
{
	u32 i, end = nondet_u32(), samples;
	bool was_oldest;
	u64 pc;

	look_at_any();
	i = looked_at[0];
	samples = pending_take(&ring, end, &pc);
	assume(end - before.tail <= length(&before)); /* as the callers' */
	was_oldest = end != before.tail && is_in(&before, i) &&
		     !age(&before, i);
	prove(ring.head == before.head && is_same(i), "no entry is changed");
	prove(end != before.tail || !samples,
	      "nothing is taken at the position");
	prove(!was_oldest || samples, "else something is");
	prove(is_in(&ring, i) == (is_in(&before, i) && !was_oldest),
	      "the oldest is removed, and no other");
	prove(invariant(&ring, i), "the invariant is kept");
	if (!was_oldest)
		return;
	prove(samples == before.samples[i], "all samples are read");
	prove(pc == before.pc[i], "the PC is that of the entry");
}

void new_ring_is_empty(void)
{
	u32 i = any_index();

	__CPROVER_havoc_object(&ring);
	pending_init(&ring);
	prove(invariant(&ring, i) && !is_in(&ring, i), "the ring is empty");
}
