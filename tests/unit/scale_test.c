// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of src/scale.h against the manuals' formulas. The rules of both
 * have the same numbers.
 */
#include "model.h"
#include "random.h"
#include "scale.h"

#define RANDOM_CASES 2000000

_Static_assert((int)SCALE_WIDTHS == MODEL_BSD, "the rules differ");
_Static_assert((int)SCALE_UP == MODEL_AIX, "the rules differ");
_Static_assert((int)SCALE_BYTES == MODEL_BYTES, "the rules differ");

static bool check_index(u64 distance, u32 scale, u32 shift, u32 rule)
{
	u64 want = model_index(distance, scale, 1U << shift, rule);
	u64 got = scale_index(distance, scale, shift, rule);

	CASE(got == want, "scale_index(%#llx, %#x, %u, %d) is %llu, not %llu",
	     distance, scale, shift, rule, got, want);
	return true;
}

/*
 * The reach falls on one of @nr counters, and the distance after it does not.
 */
static bool check_reach(u64 nr, u32 scale, u32 shift, u32 rule)
{
	u64 reach = scale_reach(nr, scale, shift, rule);
	bool is_last = reach == U64_MAX ||
		       model_index(reach + 1, scale, 1U << shift, rule) >= nr;

	CASE(is_last && model_index(reach, scale, 1U << shift, rule) < nr,
	     "scale_reach(%llu, %#x, %u, %d) is %#llx: not the largest", nr,
	     scale, shift, rule, reach);
	return true;
}

/* Computed by hand, so that the model is tested as well. */
static const struct fact {
	u64 distance;
	u32 scale;
	u32 shift;
	u32 rule;
	u64 index;
} facts[] = {
	/* One counter for as many bytes as the counter is wide. */
	{ 0, 0x10000, 1, SCALE_WIDTHS, 0 },
	{ 1, 0x10000, 1, SCALE_WIDTHS, 0 },
	{ 2, 0x10000, 1, SCALE_WIDTHS, 1 },
	{ 7, 0x10000, 2, SCALE_WIDTHS, 1 },
	{ 8, 0x10000, 2, SCALE_WIDTHS, 2 },
	{ 8, 0x10000, 3, SCALE_WIDTHS, 1 },
	{ U64_MAX, 0x10000, 3, SCALE_WIDTHS, 0x1fffffffffffffff },
	/* Half a counter, a quarter of one, two counters for each. */
	{ 3, 0x8000, 1, SCALE_WIDTHS, 0 },
	{ 4, 0x8000, 1, SCALE_WIDTHS, 1 },
	{ 7, 0x4000, 1, SCALE_WIDTHS, 0 },
	{ 8, 0x4000, 1, SCALE_WIDTHS, 1 },
	{ 2, 0x20000, 1, SCALE_WIDTHS, 2 },
	{ 3, 0x20000, 1, SCALE_WIDTHS, 2 },
	/* Two counters for six bytes. */
	{ 5, 0xaaab, 1, SCALE_WIDTHS, 1 },
	{ 6, 0xaaab, 1, SCALE_WIDTHS, 2 },
	/* Almost one to one: a counter is lost at once. */
	{ 2, 0xffff, 1, SCALE_WIDTHS, 0 },
	{ 4, 0xffff, 1, SCALE_WIDTHS, 1 },
	/* 64 KiB for each 2-byte counter. */
	{ 65535, 2, 1, SCALE_WIDTHS, 0 },
	{ 65536, 2, 1, SCALE_WIDTHS, 1 },
	{ U64_MAX, 2, 1, SCALE_WIDTHS, 0xffffffffffff },
	/* A product that just fits in 64 bits. */
	{ 0x1fffffffe, 0xffffffff, 1, SCALE_WIDTHS, 0xfffffffe0000 },
	/* AIX: a part of a counter is rounded up to the next. */
	{ 0, 0x8000, 1, SCALE_UP, 0 },
	{ 1, 0x8000, 1, SCALE_UP, 0 },
	{ 2, 0x8000, 1, SCALE_UP, 1 },
	{ 5, 0x8000, 1, SCALE_UP, 1 },
	{ 6, 0x8000, 1, SCALE_UP, 2 },
	{ 4, 0x10000, 2, SCALE_UP, 1 },
	{ 5, 0x10000, 2, SCALE_UP, 2 },
	{ 1, 0x10000, 3, SCALE_UP, 1 },
	{ -16ULL, 0x10000, 3, SCALE_UP, 0x1ffffffffffffffe },
	/* A counter for each byte, for two bytes and for half a byte. */
	{ 0, 0x20000, 1, SCALE_BYTES, 0 },
	{ 1, 0x20000, 1, SCALE_BYTES, 1 },
	{ 7, 0x40000, 2, SCALE_BYTES, 7 },
	{ 0xfffffffff, 0x80000, 3, SCALE_BYTES, 0xfffffffff },
	{ 6, 0x20000, 2, SCALE_BYTES, 3 },
	{ 7, 0x20000, 2, SCALE_BYTES, 3 },
	{ 7, 0x80000, 2, SCALE_BYTES, 14 },
	{ U64_MAX, 0x10000, 3, SCALE_BYTES, 0x1fffffffffffffff },
	{ U64_MAX >> 3, 0x80000, 3, SCALE_BYTES, 0x1fffffffffffffff },
};

TEST("distances computed by hand have the index of the manuals")
{
	for (u32 i = 0; i < ARRAY_LENGTH(facts); i++) {
		const struct fact *fact = &facts[i];

		CHECK(check_index(fact->distance, fact->scale, fact->shift,
				  fact->rule));
		CASE(scale_index(fact->distance, fact->scale, fact->shift,
				 fact->rule) == fact->index,
		     "%#llx at scale %#x does not fall on %llu", fact->distance,
		     fact->scale, fact->index);
	}
	return true;
}

/* Does a function hold for each width and rule? */
static bool each_counting(bool (*holds)(u32 shift, u32 rule))
{
	u32 shift, rule;

	for (shift = 1; shift <= 3; shift++)
		for (rule = 0; rule < MODEL_NR_RULES; rule++)
			CHECK(holds(shift, rule));
	return true;
}

static bool index_of_each_scale(u32 shift, u32 rule)
{
	for (u32 scale = 0; scale <= 0x20001; scale++)
		for (u64 distance = 0; distance < 48; distance++)
			CHECK(check_index(distance, scale, shift, rule));
	return true;
}

TEST("small: the index is the formula's at every scale to 0x20001")
{
	return each_counting(index_of_each_scale);
}

static bool reach_of_each_scale(u32 shift, u32 rule)
{
	for (u32 scale = 1; scale <= 0x20001; scale++)
		for (u64 nr = 1; nr <= 24; nr++)
			CHECK(check_reach(nr, scale, shift, rule));
	return true;
}

TEST("small: the reach is the largest at every scale to 0x20001")
{
	return each_counting(reach_of_each_scale);
}

/* BSD kernels compute a byte offset, and clear the odd bit. */
TEST("BSD's byte offset is the same at every even distance")
{
	u64 scale, distance;

	for (scale = 0; scale <= 0x20000; scale += 0x2b) {
		for (distance = 0; distance < 4096; distance += 2) {
			u64 byte = (distance * scale >> 16) & ~1ULL;
			u64 index =
				scale_index(distance, scale, 1, SCALE_WIDTHS);

			CASE(2 * index == byte,
			     "%#llx at scale %#llx is not at byte %llu",
			     distance, scale, byte);
		}
	}
	return true;
}

TEST("AIX's 0xffff is one to one")
{
	for (u64 distance = 0; distance <= 0x10001; distance++) {
		CASE(scale_index(distance, 0xffff, 1, SCALE_UP) == distance / 2,
		     "%#llx does not fall on its own half-word", distance);
	}
	return true;
}

/* A distance within @reach, often one of the last. */
static u64 random_within(u64 reach)
{
	u64 distance = random_one_in(2) ? random_edge() : random_u64();

	if (random_one_in(4))
		return distance % 4 <= reach ? reach - distance % 4 : reach;
	return distance <= reach ? distance : distance % (reach + 1);
}

/* As region.c: the counters that a size has room for, then a distance. */
TEST("random: reach and index, to the last distance")
{
	for (u32 i = 0; i < RANDOM_CASES; i++) {
		u32 shift = 1 + random_below(3);
		u32 rule = random_below(MODEL_NR_RULES);
		u64 nr = random_edge() >> shift;
		u32 scale = random_scale();
		u64 reach;

		if (!nr || !scale)
			continue;
		CHECK(check_reach(nr, scale, shift, rule));
		reach = scale_reach(nr, scale, shift, rule);
		CHECK(check_index(reach, scale, shift, rule) &&
		      check_index(random_within(reach), scale, shift, rule));
	}
	return true;
}
