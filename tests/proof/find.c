// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proofs about src/region.c and src/region.h for all values: the counter of a
 * sample is that of the formula, in the buffer of its region.
 *
 * A session has one region, or one and an overflow bin. tests/unit tries more
 * regions, and which of them takes a PC.
 */
#include <linux/types.h>

#include "formula.h"
#include "proof.h"
#include "scale.h"

/* The sample, and what the driver finds for it */
static u64 pc;
static bool found;

static u64 distance_of_sample(void);

/* arithmetic.c proves this of scale_index(). */
static inline u64 index_of(u64 distance, u32 scale, unsigned int shift,
			   u32 rule)
{
	u128 index = formula(distance, scale, shift, rule);

	prove(index << shift >> 63 == 0, "the scaled bytes fit in 64 bits");
	return (u64)index;
}

/* arithmetic.c proves this of scale_reach(), for any distance. */
static inline u64 reach_of(u64 nr, u32 scale, unsigned int shift, u32 rule)
{
	u64 reach = any_reach(nr, scale, shift, rule);
	u64 distance = distance_of_sample();

	prove(scale && nr && nr <= U64_MAX >> shift,
	      "the region has a scale and counters");
	assume((distance <= reach) ==
	       (formula(distance, scale, shift, rule) < nr));
	return reach;
}

#define scale_index index_of
#define scale_reach reach_of
#include "region.c"

enum { REGION, BIN, NR_REGIONS };

static struct profil_region regions[NR_REGIONS];
static struct region_span spans[REGION_MAX_SPANS(NR_REGIONS)];
static u32 scratch[2 * NR_REGIONS];

static struct region_map map = { .regions = regions, .spans = spans };

static struct region_hit hit;

static u64 distance_of_sample(void)
{
	return pc - regions[REGION].offset;
}

/*
 * START takes a buffer within the address space, less than half of it, and rounds
 * its size down.
 */
static void take_any_region(u32 i, u32 flags)
{
	u64 counters = nondet_u64();

	regions[i] = (struct profil_region){
		.base = nondet_u64(),
		.size = counters << map.shift,
		.offset = nondet_u64(),
		.scale = nondet_u32(),
		.flags = flags,
	};
	assume(counters <= U64_MAX >> 1 >> map.shift);
	assume(regions[i].size <= U64_MAX - regions[i].base);
}

static u64 counters_of(u32 i)
{
	return regions[i].size >> map.shift;
}

static u128 index_of_sample(void)
{
	return formula(distance_of_sample(), regions[REGION].scale, map.shift,
		       map.rule);
}

static bool is_in_region(void)
{
	return regions[REGION].scale > 1 && pc >= regions[REGION].offset &&
	       index_of_sample() < counters_of(REGION);
}

/* Any session of @nr regions, and any sample in it */
static void find_any_sample(u32 nr)
{
	map.shift = nondet_u32();
	map.rule = nondet_u32();
	assume(map.shift >= 1 && map.shift <= 3 && map.rule <= SCALE_BYTES);
	take_any_region(REGION, 0);
	take_any_region(BIN, PROFIL_REGION_OVERFLOW);
	map.nr_regions = nr;
	pc = nondet_u64();
	profil_region_map_build(&map, scratch);
	found = region_find(&map, pc, &hit);
}

/* A PC of the region is on the counter of the formula. */
void sample_is_on_counter_of_formula(void)
{
	u64 distance;

	find_any_sample(1);
	prove(found == is_in_region(),
	      "a PC is found if and only if its counter is in the buffer");
	if (!found)
		return;
	distance = hit.counter - regions[REGION].base;
	prove(hit.region == REGION, "the region is found");
	prove(hit.counter >= regions[REGION].base,
	      "the counter is not below the buffer");
	prove(distance < regions[REGION].size, "the counter is in the buffer");
	prove(distance == index_of_sample() << map.shift,
	      "the counter is that of the formula");
}

/* Any other PC is on the first counter of the bin. */
void other_sample_is_on_first_counter(void)
{
	find_any_sample(NR_REGIONS);
	prove(found == (is_in_region() || counters_of(BIN)),
	      "a PC is found if the region has it or the bin has room");
	if (!found)
		return;
	prove((hit.region == REGION) == is_in_region() && hit.region <= BIN,
	      "the bin takes a PC if and only if the region does not");
	prove(hit.region == REGION || hit.counter == regions[BIN].base,
	      "the counter is the first of the bin");
}
