// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of src/scale.h against the manuals' formulas. */
#include "model.h"
#include "random.h"
#include "scale.h"
#include "random_cases.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define RANDOM_CASES 2000000

static bool check_index(u64 distance, u32 scale, u32 shift, bool round_up)
{
	u64 want = model_index(distance, scale, 1U << shift, round_up);
	u64 got = scale_index(distance, scale, shift, round_up);

	cases_tried++;
	if (got == want)
		return true;
	tap_note("scale_index(%#llx, %#x, %u, %d) is %llu, not %llu", distance,
		 scale, shift, round_up, got, want);
	return false;
}

/*
 * The reach falls on one of @nr counters, and the distance after it does not.
 */
static bool check_reach(u64 nr, u32 scale, u32 shift, bool round_up)
{
	u64 reach = scale_reach(nr, scale, shift, round_up);

	cases_tried++;
	if (model_index(reach, scale, 1U << shift, round_up) < nr &&
	    (reach == U64_MAX ||
	     model_index(reach + 1, scale, 1U << shift, round_up) >= nr))
		return true;
	tap_note("scale_reach(%llu, %#x, %u, %d) is %#llx: not the largest", nr,
		 scale, shift, round_up, reach);
	return false;
}

static bool check_down(u64 x, u32 scale)
{
	u64 want = model_product(x, scale);
	u64 got = scale_down(x, scale);

	cases_tried++;
	if (got == want)
		return true;
	tap_note("scale_down(%#llx, %#x) is %#llx, not %#llx", x, scale, got,
		 want);
	return false;
}

static bool check_up(u64 y, u32 scale)
{
	u64 x = scale_up(y, scale);

	cases_tried++;
	if (model_product(x, scale) <= y &&
	    (x == U64_MAX || model_product(x + 1, scale) > y))
		return true;
	tap_note("scale_up(%#llx, %#x) is %#llx: not the largest", y, scale, x);
	return false;
}

/* Computed by hand, so that the model is tested as well. */
static const struct fact {
	u64 distance;
	u32 scale;
	u32 shift;
	bool round_up;
	u64 index;
} facts[] = {
	/* One counter for as many bytes as the counter is wide. */
	{ 0, 0x10000, 1, false, 0 },
	{ 1, 0x10000, 1, false, 0 },
	{ 2, 0x10000, 1, false, 1 },
	{ 7, 0x10000, 2, false, 1 },
	{ 8, 0x10000, 2, false, 2 },
	{ 8, 0x10000, 3, false, 1 },
	{ U64_MAX, 0x10000, 3, false, 0x1fffffffffffffff },
	/* Half a counter, a quarter of one, two counters for each. */
	{ 3, 0x8000, 1, false, 0 },
	{ 4, 0x8000, 1, false, 1 },
	{ 7, 0x4000, 1, false, 0 },
	{ 8, 0x4000, 1, false, 1 },
	{ 2, 0x20000, 1, false, 2 },
	{ 3, 0x20000, 1, false, 2 },
	/* Two counters for six bytes. */
	{ 5, 0xaaab, 1, false, 1 },
	{ 6, 0xaaab, 1, false, 2 },
	/* Almost one to one: a counter is lost at once. */
	{ 2, 0xffff, 1, false, 0 },
	{ 4, 0xffff, 1, false, 1 },
	/* 64 KiB for each 2-byte counter. */
	{ 65535, 2, 1, false, 0 },
	{ 65536, 2, 1, false, 1 },
	{ U64_MAX, 2, 1, false, 0xffffffffffff },
	/* A product that just fits in 64 bits. */
	{ 0x1fffffffe, 0xffffffff, 1, false, 0xfffffffe0000 },
	/* AIX: a part of a counter is rounded up to the next. */
	{ 0, 0x8000, 1, true, 0 },
	{ 1, 0x8000, 1, true, 0 },
	{ 2, 0x8000, 1, true, 1 },
	{ 5, 0x8000, 1, true, 1 },
	{ 6, 0x8000, 1, true, 2 },
	{ 4, 0x10000, 2, true, 1 },
	{ 5, 0x10000, 2, true, 2 },
	{ 1, 0x10000, 3, true, 1 },
	{ U64_MAX, 0x10000, 3, true, 0x2000000000000000 },
};

static bool follows_facts(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(facts); i++) {
		const struct fact *fact = &facts[i];

		if (!check_index(fact->distance, fact->scale, fact->shift,
				 fact->round_up))
			return false;
		if (scale_index(fact->distance, fact->scale, fact->shift,
				fact->round_up) == fact->index)
			continue;
		tap_note("%#llx at scale %#x does not fall on %llu",
			 fact->distance, fact->scale, fact->index);
		return false;
	}
	return true;
}

/* Does a function hold for each width and rounding? */
static bool each_counting(bool (*holds)(u32 shift, bool round_up))
{
	u32 shift;

	for (shift = 1; shift <= 3; shift++) {
		if (!holds(shift, false) || !holds(shift, true))
			return false;
	}
	return true;
}

static bool index_of_each_scale(u32 shift, bool round_up)
{
	u32 scale;
	u64 distance;

	for (scale = 0; scale <= 0x20001; scale++) {
		for (distance = 0; distance < 48; distance++) {
			if (!check_index(distance, scale, shift, round_up))
				return false;
		}
	}
	return true;
}

static bool indexes_small(void)
{
	return each_counting(index_of_each_scale);
}

static bool reach_of_each_scale(u32 shift, bool round_up)
{
	u32 scale;
	u64 nr;

	for (scale = 1; scale <= 0x20001; scale++) {
		for (nr = 1; nr <= 24; nr++) {
			if (!check_reach(nr, scale, shift, round_up))
				return false;
		}
	}
	return true;
}

static bool reaches_small(void)
{
	return each_counting(reach_of_each_scale);
}

#define WALK_COUNTERS 30
#define WALK_TEXT 1000

/* The reach separates inside from outside; tested by counting alone. */
static bool walk(u32 scale, u32 shift, bool round_up)
{
	u64 distance, index, nr, reach[WALK_COUNTERS + 1];

	for (nr = 1; nr <= WALK_COUNTERS; nr++)
		reach[nr] = scale_reach(nr, scale, shift, round_up);
	for (distance = 0; distance < WALK_TEXT; distance++) {
		index = model_index(distance, scale, 1U << shift, round_up);
		for (nr = 1; nr <= WALK_COUNTERS; nr++) {
			bool inside = index < nr;
			bool reached = distance <= reach[nr];

			cases_tried++;
			if (inside == reached)
				continue;
			check_reach(nr, scale, shift, round_up);
			tap_note("%#llx is on the wrong side", distance);
			return false;
		}
	}
	return true;
}

/* Powers of two, their neighbours, and periodic fractions. */
static bool walk_each_scale(u32 shift, bool round_up)
{
	u32 bit;

	for (bit = 1; bit < 32; bit++) {
		u32 power = 1U << bit, third = U32_MAX / 3 >> (bit - 1);

		if (!walk(power - 1, shift, round_up) ||
		    !walk(power, shift, round_up) ||
		    !walk(power + 1, shift, round_up) ||
		    !walk(third, shift, round_up))
			return false;
	}
	return walk(U32_MAX, shift, round_up);
}

static bool walks(void)
{
	return each_counting(walk_each_scale);
}

/* BSD kernels compute a byte offset, and clear the odd bit. */
static bool agrees_with_bsd(void)
{
	u64 scale, distance;

	for (scale = 0; scale <= 0x20000; scale += 0x2b) {
		for (distance = 0; distance < 4096; distance += 2) {
			u64 byte = (distance * scale >> 16) & ~1ULL;

			cases_tried++;
			if (2 * scale_index(distance, scale, 1, false) == byte)
				continue;
			tap_note("%#llx at scale %#llx is not at byte %llu",
				 distance, scale, byte);
			return false;
		}
	}
	return true;
}

static bool aix_ffff_is_one_to_one(void)
{
	u64 distance;

	for (distance = 0; distance <= 0x10001; distance++) {
		cases_tried++;
		if (scale_index(distance, 0xffff, 1, true) == distance / 2)
			continue;
		tap_note("%#llx does not fall on its own half-word", distance);
		return false;
	}
	return true;
}

static bool scales_down(void)
{
	u32 i;

	for (i = 0; i < RANDOM_CASES; i++) {
		u64 x = random_edge();
		u32 scale = random_scale();

		/* The driver computes no product of more than 64 bits. */
		if (model_product(x, scale) > U64_MAX)
			continue;
		if (!check_down(x, scale))
			return false;
	}
	return true;
}

static bool scales_up_small(void)
{
	u32 scale;
	u64 y;

	for (scale = 1; scale <= 0x20001; scale++) {
		for (y = 0; y < 0x100; y++) {
			if (!check_up(y, scale))
				return false;
		}
	}
	return true;
}

static bool scales_up(void)
{
	u32 i;

	for (i = 0; i < RANDOM_CASES; i++) {
		u64 y = random_edge();
		u32 scale = random_scale();

		if (scale && !check_up(y, scale))
			return false;
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
static bool reaches_and_indexes(void)
{
	u32 i;

	for (i = 0; i < RANDOM_CASES; i++) {
		u32 shift = 1 + random_below(3);
		bool round_up = random_one_in(2);
		u64 nr = random_edge() >> shift;
		u32 scale = random_scale();
		u64 reach;

		if (!nr || !scale)
			continue;
		if (!check_reach(nr, scale, shift, round_up))
			return false;
		reach = scale_reach(nr, scale, shift, round_up);
		if (!check_index(reach, scale, shift, round_up) ||
		    !check_index(random_within(reach), scale, shift, round_up))
			return false;
	}
	return true;
}

static const struct tap_test tests[] = {
	{ "distances computed by hand have the index of the manuals",
	  follows_facts },
	{ "small: the index is the formula's at every scale to 0x20001",
	  indexes_small },
	{ "small: the reach is the largest at every scale to 0x20001",
	  reaches_small },
	{ "small: the reach separates inside from outside", walks },
	{ "BSD's byte offset is the same at every even distance",
	  agrees_with_bsd },
	{ "AIX's 0xffff is one to one", aix_ffff_is_one_to_one },
	{ "small: scale_up() is the largest at every scale to 0x20001",
	  scales_up_small },
	{ "random: scale_up() is the largest", scales_up },
	{ "random: scale_down() is exact to 64 bits", scales_down },
	{ "random: reach and index, to the last distance",
	  reaches_and_indexes },
};

int main(int argc, char **argv)
{
	return cases_run(argc, argv, tests, ARRAY_SIZE(tests));
}
