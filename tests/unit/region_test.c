// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/region.c: the region and the counter of every PC, in lists of every kind, by the
 * arithmetic of src/scale.h. tests/proof has that for all values.
 */
#include "random.h"
#include "region.c"
#include "region_check.h"

#define RANDOM_LISTS 40000

/* The rules of the model have the same numbers. */
_Static_assert((int)SCALE_WIDTHS == MODEL_BSD, "the rules differ");
_Static_assert((int)SCALE_UP == MODEL_AIX, "the rules differ");
_Static_assert((int)SCALE_BYTES == MODEL_BYTES, "the rules differ");

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
	{ 0x10001, 0xffff, 1, SCALE_UP, 0x8000 },
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
		u64 index = scale_index(fact->distance, fact->scale,
					fact->shift, fact->rule);
		u64 model = model_index(fact->distance, fact->scale,
					1U << fact->shift, fact->rule);

		CASE(index == fact->index && model == index,
		     "%#llx at scale %#x falls on %llu, not on %llu",
		     fact->distance, fact->scale, index, fact->index);
	}
	return true;
}

/* Buffers are far apart: the address of a counter shows its region. */
static u64 buffer(u32 i)
{
	return (u64)(i + 1) << 20;
}

static bool overflow_is_on(u64 size, u32 shift)
{
	struct profil_region region = { .size = size,
					.flags = PROFIL_REGION_OVERFLOW };

	return profil_region_enabled(&region, shift);
}

static bool check_enabled(u64 size, u32 scale, u32 shift)
{
	struct profil_region region = { .size = size, .scale = scale };
	bool room = size >= 1U << shift;
	bool is_right = profil_region_enabled(&region, shift) ==
			(room && scale >= 2);

	CASE(is_right && overflow_is_on(size, shift) == room,
	     "size %llu scale %u shift %u: wrongly on or off", size, scale,
	     shift);
	return true;
}

TEST("all cases: a region needs a scale and room, an overflow bin needs room")
{
	static const u64 large[] = { 1ULL << 32, 1ULL << 63, U64_MAX };
	u32 shift, scale, i;

	for (shift = 1; shift <= 3; shift++) {
		for (scale = 0; scale < 4; scale++) {
			for (i = 0; i < 20; i++)
				CHECK(check_enabled(i, scale, shift));
			for (i = 0; i < ARRAY_LENGTH(large); i++)
				CHECK(check_enabled(large[i], scale, shift));
		}
	}
	return true;
}

static bool try_window(struct region_check *check, u64 low, u32 length)
{
	CHECK(region_check_build(check) && region_check_probe(check, low - 1));
	for (u32 i = 0; i < length; i++)
		CHECK(region_check_probe(check, low + i));
	return true;
}

/*
 * All cases of few regions
 *
 * src/region.c compares PCs, and takes the one before or after: it does nothing
 * else with them. So a case is the order of the first and last PCs of its
 * regions, and which of them are equal or neighbours. Three regions have six
 * such PCs, and a text of twelve has room for each of their cases. Each PC has a
 * counter here; the random lists have other scales.
 */
enum kind { COUNTS, OVERFLOWS, SCALE_IS_OFF, HAS_NO_ROOM, NR_KINDS };

#define CASES_SHIFT 1
#define BYTE_SCALE 0x20000
/* With scale 2 these counters reach beyond all PCs. */
#define BEYOND 0x2000000000000

/* PCs that are tried, and the kinds of the regions on them */
struct text {
	u64 first;
	u32 length;
	u32 kinds;
};

/* A region from the PC number @at of the text to @last, or beyond the text */
static void place(struct region_check *check, const struct text *text, u32 i,
		  enum kind kind, u32 at, u32 last)
{
	bool beyond = last == text->length;
	u64 counters = beyond ? BEYOND : last - at + 1;

	check->regions[i] = (struct profil_region){
		.base = buffer(i),
		.size = kind == HAS_NO_ROOM ? 1 : counters * 2,
		.offset = text->first + at,
		.scale = kind == SCALE_IS_OFF ? 1 :
			 beyond		      ? 2 :
						BYTE_SCALE,
		.flags = kind == OVERFLOWS ? PROFIL_REGION_OVERFLOW : 0,
	};
}

/* Each region from number @i on, at each place of the text */
static bool try_all(struct region_check *check, const struct text *text, u32 i)
{
	bool at_top = text->first + text->length == 0;
	u32 kind, at, last;

	if (i == check->map.nr_regions)
		return try_window(check, text->first, text->length + 1);
	for (kind = COUNTS; kind < text->kinds; kind++)
		for (at = 0; at < text->length; at++)
			for (last = at; last < text->length + at_top; last++) {
				place(check, text, i, kind, at, last);
				CHECK(try_all(check, text, i + 1));
			}
	return true;
}

/* At the lowest PCs, at the highest, and where a PC gets a 33rd bit */
static bool try_text(u32 nr, u32 length, u32 kinds)
{
	const u64 firsts[] = { 0, -(u64)length, (1ULL << 32) - length / 2 };
	struct text text = { .length = length, .kinds = kinds };
	struct region_check check;
	bool good = true;

	region_check_open(&check, nr, CASES_SHIFT, SCALE_BYTES);
	for (u32 i = 0; good && i < ARRAY_LENGTH(firsts); i++) {
		text.first = firsts[i];
		good = try_all(&check, &text, 0);
	}
	region_check_close(&check);
	return good;
}

TEST("all cases: regions of each kind")
{
	return try_text(1, 12, NR_KINDS) && try_text(2, 6, NR_KINDS) &&
	       try_text(3, 3, NR_KINDS);
}

TEST("all cases: the order of three regions")
{
	return try_text(3, 12, OVERFLOWS);
}

TEST("all cases: four regions on a short text")
{
	return try_text(4, 6, OVERFLOWS);
}

static bool search_finds(const struct region_map *map, u64 pc,
			 const struct region_span *wanted)
{
	const struct region_span *found;

	CASE(region_find_span(map, pc, &found) ? found == wanted : !wanted,
	     "of %u spans the wrong one for PC %llu", map->nr_spans, pc);
	return true;
}

/*
 * The search compares the PC with PCs of the table, and nothing else. So a case
 * is a size of the table and a place in it: in a span, or between two.
 */
TEST("all cases: the search in each size of a table, at each place")
{
	static struct region_span table[REGION_MAX_SPANS(PROFIL_MAX_REGIONS)];
	struct region_map map = { .spans = table };

	for (u32 i = 0; i < ARRAY_LENGTH(table); i++)
		table[i] = (struct region_span){ 2 * i + 1, 2 * i + 1, 0 };
	for (; map.nr_spans <= ARRAY_LENGTH(table); map.nr_spans++) {
		set_search(&map);
		CHECK(search_finds(&map, 0, NULL));
		for (u32 i = 0; i < map.nr_spans; i++)
			CHECK(search_finds(&map, 2 * i + 1, &table[i]) &&
			      search_finds(&map, 2 * i + 2, NULL));
	}
	return true;
}

static void shuffle(struct profil_region *regions, u32 nr)
{
	while (nr > 1) {
		u32 i = random_below(nr--);
		struct profil_region other = regions[i];

		regions[i] = regions[nr];
		regions[nr] = other;
	}
}

static u32 random_flags(void)
{
	return random_one_in(12) ? PROFIL_REGION_OVERFLOW : 0;
}

#define WINDOW 80

/* Few offsets and few counters: many ties, cuts and regions within regions. */
static bool try_crowd(u64 low)
{
	u32 offsets = 1 + random_below(WINDOW);
	u32 counters = 1 + random_below(40);
	u32 shift = 1 + random_below(3);
	u32 i, nr = 1 + random_below(24);
	struct region_check check;
	bool good;

	region_check_open(&check, nr, shift, random_below(MODEL_NR_RULES));
	for (i = 0; i < nr; i++) {
		check.regions[i].base = buffer(i);
		check.regions[i].size = random_below(counters << shift);
		check.regions[i].offset = low + random_below(offsets);
		check.regions[i].scale = random_scale();
		check.regions[i].flags = random_flags();
	}
	good = try_window(&check, low, WINDOW) &&
	       region_check_probe_edges(&check);
	region_check_close(&check);
	return good;
}

TEST("random: crowded lists, every PC")
{
	for (u32 i = 0; i < RANDOM_LISTS; i++) {
		u64 low = random_edge();

		if (low > U64_MAX - WINDOW)
			low = U64_MAX - WINDOW + 1;
		CHECK(try_crowd(low));
	}
	return true;
}

/* Any region whose buffer is aligned and does not wrap. */
static void randomize(struct profil_region *region, u32 width)
{
	region->base = random_edge() & -(u64)width;
	region->size = random_edge();
	if (region->size > U64_MAX - region->base)
		region->size = U64_MAX - region->base;
	region->offset = random_edge();
	region->scale = random_scale();
	region->flags = random_flags();
}

static bool try_wide(u32 nr)
{
	u32 i, shift = 1 + random_below(3);
	struct region_check check;
	bool good;

	region_check_open(&check, nr, shift, random_below(MODEL_NR_RULES));
	for (i = 0; i < nr; i++)
		randomize(&check.regions[i], check.model.width);
	good = region_check_build(&check) && region_check_probe_edges(&check);
	for (i = 0; good && i < 2 * nr; i++)
		good = region_check_probe(&check, random_edge()) &&
		       region_check_probe(&check, random_u64());
	region_check_close(&check);
	return good;
}

TEST("random: any regions anywhere")
{
	for (u32 i = 0; i < RANDOM_LISTS; i++)
		CHECK(try_wide(1 + random_below(16)));
	return true;
}

/*
 * Each region begins @step PCs after the one before and has @less PCs fewer;
 * the first has @text.
 */
static void fill_list(struct region_check *check, u64 step, u64 text, u64 less)
{
	for (u32 i = 0; i < check->map.nr_regions; i++) {
		check->regions[i] = (struct profil_region){
			.base = buffer(i),
			.size = text - i * less,
			.offset = 0x400000 + i * step,
			.scale = 0x10000,
		};
	}
}

static bool try_long(u64 step, u64 text, u64 less, u32 least_spans)
{
	struct region_check check;
	bool good;

	region_check_open(&check, PROFIL_MAX_REGIONS, 1, SCALE_WIDTHS);
	fill_list(&check, step, text, less);
	shuffle(check.regions, PROFIL_MAX_REGIONS);
	good = region_check_build(&check) && region_check_probe_edges(&check);
	if (good && check.map.nr_spans < least_spans) {
		tap_note("%u spans, not %u", check.map.nr_spans, least_spans);
		good = false;
	}
	region_check_close(&check);
	return good;
}

TEST("4096 regions in a row, apart and adjacent")
{
	return try_long(64, 32, 0, PROFIL_MAX_REGIONS) &&
	       try_long(64, 64, 0, PROFIL_MAX_REGIONS);
}

TEST("4096 regions, each over the next 63")
{
	return try_long(16, 1024, 0, PROFIL_MAX_REGIONS);
}

/* The most spans possible: all regions but the innermost have two. */
TEST("4096 regions, each within the one before")
{
	return try_long(16, 32 * PROFIL_MAX_REGIONS, 32,
			2 * PROFIL_MAX_REGIONS - 1);
}

/* The first region takes all that it contains, later ones what is beyond. */
TEST("4096 regions at one offset")
{
	return try_long(0, 1 << 20, 0, 1) && try_long(0, 1 << 20, 16, 1);
}

TEST("4096 regions, any")
{
	return try_wide(PROFIL_MAX_REGIONS);
}
