// SPDX-License-Identifier: GPL-2.0-only
/*
 * The span table and the lookup of a PC, tried in all cases: the search in tables
 * of each size, then tables and lookups of few regions on a short text. Ends with
 * 10 at the first PC that is not taken as profil(2) prescribes, as a refuted proof
 * does.
 *
 * src/region.c compares PCs, and takes the one before or after: it does nothing
 * else with them. So a case is the order of the first and last PCs of its
 * regions, and which of them are equal or neighbours. Three regions have six such
 * PCs, and a text of twelve has room for each of their cases.
 *
 * Each PC has a counter here, and regions reach as far as a case says. What scales
 * do is proven in arithmetic.c: a distance is within the reach if and only if its
 * index is in the buffer. halves.c proves where the counter is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scale.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MOST 4
#define SHIFT 1
#define BASE 0x1000000

/* How far each region reaches. The scale of a region is FIRST_SCALE and more. */
static u64 reaches[MOST];
#define FIRST_SCALE 2

static inline u64 reach_of(u64 nr, u32 scale, unsigned int shift, u32 rule)
{
	(void)nr, (void)shift, (void)rule;
	return reaches[scale - FIRST_SCALE];
}

static inline u64 index_of(u64 distance, u32 scale, unsigned int shift,
			   u32 rule)
{
	(void)scale, (void)shift, (void)rule;
	return distance;
}

#define scale_reach reach_of
#define scale_index index_of
#include "region.c"

enum kind { COUNTS, OVERFLOWS, SCALE_IS_OFF, HAS_NO_ROOM, NR_KINDS };

/* A bit for each region whose counters are two halves, as wide as one counter */
static u32 splits;

static struct profil_region regions[MOST];
/* What is behind the room that a table may need stays as it is. */
static struct region_span spans[REGION_MAX_SPANS(MOST) + 1];
static u32 scratch[2 * MOST];
static unsigned long cases;

static bool is_split(u32 i)
{
	return splits >> i & 1;
}

static bool has_room(u32 i)
{
	return regions[i].size >= (is_split(i) ? 2 : 1) << SHIFT;
}

static bool takes(u32 i, u64 pc)
{
	const struct profil_region *region = &regions[i];

	if (region->flags & PROFIL_REGION_OVERFLOW || region->scale < 2)
		return false;
	if (!has_room(i))
		return false;
	return pc >= region->offset && pc - region->offset <= reaches[i];
}

/* The largest offset wins, and of equal offsets the first region. */
static u32 prescribed(u32 nr, u64 pc)
{
	u32 i, best = REGION_NONE;

	for (i = 0; i < nr; i++)
		if (takes(i, pc) && (best == REGION_NONE ||
				     regions[i].offset > regions[best].offset))
			best = i;
	for (i = 0; i < nr && best == REGION_NONE; i++)
		if (regions[i].flags & PROFIL_REGION_OVERFLOW && has_room(i))
			best = i;
	return best;
}

/* Each half of a split region is one counter wide. */
static u64 counter_of(u32 i, u64 pc, bool kernel)
{
	u64 index = takes(i, pc) ? pc - regions[i].offset : 0;
	u64 half = kernel && is_split(i) ? 1 << SHIFT : 0;

	return regions[i].base + half + (index << SHIFT);
}

static void refute(u32 nr, u64 pc)
{
	u32 i;

	for (i = 0; i < nr; i++)
		printf("# region %u: offset %#llx, reach %#llx, scale %u, flags %u\n",
		       i, regions[i].offset, reaches[i], regions[i].scale,
		       regions[i].flags);
	printf("# not as prescribed: PC %#llx\n", pc);
	exit(10);
}

static void check_sample(const struct region_map *map, u64 pc, bool kernel)
{
	u32 wanted = prescribed(map->nr_regions, pc);
	bool is_wanted = wanted != REGION_NONE;
	struct region_hit hit = { .region = REGION_NONE };

	if (region_find(map, pc, kernel, &hit) != is_wanted)
		refute(map->nr_regions, pc);
	if (!is_wanted)
		return;
	if (hit.region != wanted ||
	    hit.counter != counter_of(wanted, pc, kernel))
		refute(map->nr_regions, pc);
}

static void check_pc(const struct region_map *map, u64 pc)
{
	check_sample(map, pc, false);
	check_sample(map, pc, true);
}

/* The spans ascend, as a search needs it, and fit in their room. */
static void check_table(const struct region_map *map)
{
	u32 i;

	if (map->nr_spans > REGION_MAX_SPANS(map->nr_regions) ||
	    spans[REGION_MAX_SPANS(map->nr_regions)].region != REGION_NONE)
		refute(map->nr_regions, 0);
	for (i = 0; i < map->nr_spans; i++)
		if (spans[i].first > spans[i].last ||
		    (i && spans[i - 1].last >= spans[i].first))
			refute(map->nr_regions, spans[i].first);
}

/**
 * struct text - PCs that are tried: two ranges, the second up to @last
 * @first: of the first range
 * @last: of the second range
 * @length: PCs in both
 * @split: PCs in the first range
 */
struct text {
	u64 first;
	u64 last;
	u32 length;
	u32 split;
};

static u64 pc_of(const struct text *text, u32 i)
{
	return i < text->split ? text->first + i :
				 text->last - (text->length - 1 - i);
}

/* All PCs of the text, and those beside it */
static void check_case(u32 nr, const struct text *text)
{
	struct region_map map = {
		.regions = regions,
		.spans = spans,
		.nr_regions = nr,
		.shift = SHIFT,
	};
	u32 i;

	spans[REGION_MAX_SPANS(nr)].region = REGION_NONE;
	profil_region_map_build(&map, scratch);
	check_table(&map);
	for (i = 0; i < text->length; i++)
		check_pc(&map, pc_of(text, i));
	check_pc(&map, text->first - 1);
	check_pc(&map, text->last + 1);
	cases++;
}

/* Behind the text a region reaches beyond all PCs. */
static u64 reach_from(const struct text *text, u32 at, u32 last)
{
	return last < text->length ? pc_of(text, last) - pc_of(text, at) :
				     U64_MAX;
}

static void set_region(u32 i, u64 offset, u64 reach, enum kind kind)
{
	reaches[i] = reach;
	regions[i] = (struct profil_region){
		.base = BASE * (i + 1),
		.size = ((is_split(i) ? 2 : 1) << SHIFT) -
			(kind == HAS_NO_ROOM),
		.offset = offset,
		.scale = kind == SCALE_IS_OFF ? 1 : FIRST_SCALE + i,
		.flags = (kind == OVERFLOWS ? PROFIL_REGION_OVERFLOW : 0) |
			 (is_split(i) ? PROFIL_REGION_SPLIT : 0),
	};
}

/* Each of @nr regions, from number @i on, at each place of the text */
static void try_all(u32 nr, u32 i, const struct text *text, u32 kinds)
{
	u32 ends = text->length + (text->last == U64_MAX);
	u32 kind, at, last;

	if (i == nr) {
		check_case(nr, text);
		return;
	}
	for (kind = COUNTS; kind < kinds; kind++)
		for (at = 0; at < text->length; at++)
			for (last = at; last < ends; last++) {
				set_region(i, pc_of(text, at),
					   reach_from(text, at, last), kind);
				try_all(nr, i + 1, text, kinds);
			}
}

/*
 * At the lowest PCs, at the highest, between, and at both ends. Regions of all
 * kinds are split in all ways, too.
 */
static void try_text(u32 nr, u32 length, u32 kinds)
{
	const struct text texts[] = {
		{ 0, length - 1, length, length },
		{ U64_MAX - length + 1, U64_MAX, length, length },
		{ 1000, 1000 + length - 1, length, length },
		{ 0, U64_MAX, length, length / 2 },
	};
	u32 i, last = kinds == NR_KINDS ? (1U << nr) - 1 : 0;

	for (splits = 0; splits <= last; splits++)
		for (i = 0; i < ARRAY_SIZE(texts); i++)
			try_all(nr, 0, &texts[i], kinds);
}

static struct region_span table[REGION_MAX_SPANS(PROFIL_MAX_REGIONS)];

static void check_search(u32 nr, u64 pc, const struct region_span *wanted)
{
	struct region_map map = { .spans = table, .nr_spans = nr };
	const struct region_span *found;

	set_search(&map);
	if (region_find_span(&map, pc, &found) ? found == wanted : !wanted)
		return;
	printf("# of %u spans the wrong one for PC %llu\n", nr, pc);
	exit(10);
}

/*
 * The search compares the PC with PCs of the table, and nothing else. So a case
 * is a size of the table and a place in it: in a span, or between two.
 */
static void try_searches(void)
{
	u32 i, nr;

	for (i = 0; i < REGION_MAX_SPANS(PROFIL_MAX_REGIONS); i++)
		table[i] = (struct region_span){ 2 * i + 1, 2 * i + 1, 0 };
	for (nr = 0; nr <= REGION_MAX_SPANS(PROFIL_MAX_REGIONS); nr++) {
		check_search(nr, 0, NULL);
		for (i = 0; i < nr; i++) {
			check_search(nr, 2 * i + 1, &table[i]);
			check_search(nr, 2 * i + 2, NULL);
		}
	}
}

int main(void)
{
	try_searches();
	try_text(1, 12, NR_KINDS);
	try_text(2, 6, NR_KINDS);
	try_text(3, 3, NR_KINDS);
	try_text(3, 12, OVERFLOWS);
	try_text(4, 7, OVERFLOWS);
	printf("# %lu cases\n", cases);
	return 0;
}
