// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proofs about src/scale.h for all values: the index is that of the formula, and
 * is below the number of counters if and only if the distance is within the
 * reach.
 */
#include "scale.h"

/* The formula of profil(2), in integers: which counter a distance falls on. */
static u128 formula(u64 distance, u32 scale, u32 width, u32 rule)
{
	switch (rule) {
	case 0:
		return product(distance / width, scale) / 65536;
	case 1:
		return (product(distance, scale) / 65536 + (width - 1)) / width;
	default:
		return product(distance, scale) / 65536 / width;
	}
}

/* The width is one of three constants, by which a solver divides quickly. */
static u128 formula_of_width(u64 distance, u32 scale, u32 shift, u32 rule)
{
	switch (shift) {
	case 1:
		return formula(distance, scale, 2, rule);
	case 2:
		return formula(distance, scale, 4, rule);
	default:
		return formula(distance, scale, 8, rule);
	}
}

/* Bytes are scaled, and their number has to fit in 64 bits. */
static u128 bytes_of(u64 distance, u32 scale, u32 shift, u32 rule)
{
	if (rule == SCALE_WIDTHS)
		return product(distance >> shift, scale) >> 16;
	return (product(distance, scale) >> 16) + 7;
}

struct values {
	u64 distance;
	u32 scale;
	u32 shift;
	u32 rule;
};

static struct values any_values(void)
{
	struct values v = { nondet_u64(), nondet_u32(), nondet_u32(),
			    nondet_u32() };

	assume(v.shift >= 1 && v.shift <= 3);
	assume(v.rule <= SCALE_BYTES);
	return v;
}

/* What is true of the products by which scale_reach() ends */
static void know_products(u64 distance, u32 scale)
{
	product_below(distance, proof_whole, scale);
	if (proof_whole >> 48 == 0)
		product_ascends(distance, proof_whole << 16 | proof_digit,
				scale);
}

/* scale_index() is the formula. */
void index_equals_formula(void)
{
	struct values v = any_values();

	assume(bytes_of(v.distance, v.scale, v.shift, v.rule) >> 64 == 0);
	prove(scale_index(v.distance, v.scale, v.shift, v.rule) ==
		      formula_of_width(v.distance, v.scale, v.shift, v.rule),
	      "the index is that of the formula");
}

/* A distance is within scale_reach() if and only if its counter is there. */
void reach_equals_formula(void)
{
	struct values v = any_values();
	u64 nr = nondet_u64(), reach;
	bool inside;

	assume(v.scale && nr && nr <= U64_MAX >> v.shift);
	reach = scale_reach(nr, v.scale, v.shift, v.rule);
	know_products(v.rule == SCALE_WIDTHS ? v.distance >> v.shift :
					       v.distance,
		      v.scale);
	inside = formula_of_width(v.distance, v.scale, v.shift, v.rule) < nr;
	prove((v.distance <= reach) == inside,
	      "the reach is the last distance with a counter");
}

/* What math64.h assumes of a division in two steps, by its products w and q */
void division_by_hand(void)
{
	u128 w = (u128)nondet_u64(), q = (u128)nondet_u64();
	u64 dividend = nondet_u64();
	u32 rest = nondet_u32(), last = nondet_u32();

	assume(q >> 48 == 0);
	assume(w + rest == dividend);
	assume(q + last == ((u64)rest << 16 | 0xffff));
	prove((w << 16) + q + last == ((u128)dividend << 16 | 0xffff),
	      "a division in two steps is a division");
}
