// SPDX-License-Identifier: GPL-2.0-only
/* src/region.c: the region of every PC, in lists of every kind. */
#include "random.h"
#include "region.h"
#include "random_cases.h"
#include "region_check.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define RANDOM_LISTS 40000

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

/* Each half needs room for a counter. */
static bool split_is_on(u64 size, u32 scale, u32 shift)
{
	struct profil_region region = { .size = size,
					.scale = scale,
					.flags = PROFIL_REGION_SPLIT };

	return profil_region_enabled(&region, shift);
}

static bool check_enabled(u64 size, u32 scale, u32 shift)
{
	struct profil_region region = { .size = size, .scale = scale };
	bool room = size >= 1U << shift;

	cases_tried++;
	if (profil_region_enabled(&region, shift) == (room && scale >= 2) &&
	    overflow_is_on(size, shift) == room &&
	    split_is_on(size, scale, shift) ==
		    (size >= 2U << shift && scale >= 2))
		return true;
	tap_note("size %llu scale %u shift %u: wrongly on or off", size, scale,
		 shift);
	return false;
}

TEST("a region needs a scale and room, an overflow bin needs room")
{
	static const u64 large[] = { 1ULL << 32, 1ULL << 63, U64_MAX };
	u32 shift, scale, i;

	for (shift = 1; shift <= 3; shift++) {
		for (scale = 0; scale < 4; scale++) {
			for (i = 0; i < 20; i++) {
				if (!check_enabled(i, scale, shift))
					return false;
			}
			for (i = 0; i < ARRAY_SIZE(large); i++) {
				if (!check_enabled(large[i], scale, shift))
					return false;
			}
		}
	}
	return true;
}

/*
 * The lists of a small space: each of @nr regions begins at one of @offsets
 * PCs, has fewer than @counters counters and one of the scales; or is an
 * overflow bin, with or without room for a counter.
 */
struct space {
	u32 nr;
	u32 offsets;
	u32 counters;
	u32 nr_scales;
	const u32 *scales;
};

/* PCs beyond the offsets of a space that its regions may contain. */
#define SPACE_TAIL 14

static u32 kinds(const struct space *space)
{
	return space->offsets * space->counters * space->nr_scales + 2;
}

/* Every second buffer ends with a part of a counter. */
static void place(const struct space *space, struct region_check *check, u32 i,
		  u32 kind, u64 low)
{
	struct profil_region *region = &check->regions[i];
	u32 width = check->model.width;

	*region = (struct profil_region){ .base = buffer(i), .offset = low };
	if (kind < 2) {
		region->flags = PROFIL_REGION_OVERFLOW;
		region->size = kind * width;
		return;
	}
	kind -= 2;
	region->scale = space->scales[kind % space->nr_scales];
	kind /= space->nr_scales;
	region->size = kind % space->counters * width + (i % 2 ? width - 1 : 0);
	region->offset += kind / space->counters;
}

static bool try_window(struct region_check *check, u64 low, u32 length)
{
	u32 i;

	if (!region_check_build(check) || !region_check_probe(check, low - 1))
		return false;
	for (i = 0; i < length; i++) {
		if (!region_check_probe(check, low + i))
			return false;
	}
	return true;
}

/* Try every list of the space, with @low as its lowest offset. */
static bool try_lists(const struct space *space, struct region_check *check,
		      u64 low)
{
	u32 length = space->offsets + SPACE_TAIL;
	u32 list, rest, i, nr_lists = 1;

	if (length > U64_MAX - low)
		length = U64_MAX - low + 1;
	for (i = 0; i < space->nr; i++)
		nr_lists *= kinds(space);
	for (list = 0; list < nr_lists; list++) {
		rest = list;
		for (i = 0; i < space->nr; i++) {
			place(space, check, i, rest % kinds(space), low);
			rest /= kinds(space);
		}
		if (!try_window(check, low, length))
			return false;
	}
	return true;
}

/* Try both ends of the address space, and where an address gets a 33rd bit. */
static bool try_places(const struct space *space, u32 shift, u32 rule)
{
	u64 half = space->offsets / 2;
	struct region_check check;
	bool good;

	region_check_open(&check, space->nr, shift, rule);
	good = try_lists(space, &check, 0) &&
	       try_lists(space, &check, (1ULL << 32) - half) &&
	       try_lists(space, &check, U64_MAX - space->offsets + 1);
	region_check_close(&check);
	return good;
}

static bool try_space(const struct space *space)
{
	u32 shift;

	for (shift = 1; shift <= 3; shift++) {
		if (!try_places(space, shift, SCALE_WIDTHS) ||
		    !try_places(space, shift, SCALE_UP) ||
		    !try_places(space, shift, SCALE_BYTES))
			return false;
	}
	return true;
}

TEST("small: every region, every PC")
{
	static const u32 small[] = { 0, 1, 2, 0x4000, 0x5555, 0x8000, 0xffff };
	static const u32 large[] = { 0x10000, 0x10001, 0x18000, 0x80000, ~0U };
	struct space spaces[] = {
		{ 1, 40, 20, ARRAY_SIZE(small), small },
		{ 1, 40, 20, ARRAY_SIZE(large), large },
	};

	return try_space(&spaces[0]) && try_space(&spaces[1]);
}

TEST("small: every list of two, every PC")
{
	static const u32 scales[] = { 1, 0x8000, 0x10000, 0x30000 };
	struct space space = { 2, 7, 4, ARRAY_SIZE(scales), scales };

	return try_space(&space);
}

TEST("small: every list of three, every PC")
{
	static const u32 scales[] = { 0xc000, 0x20000 };
	struct space space = { 3, 4, 3, ARRAY_SIZE(scales), scales };

	return try_space(&space);
}

/* Four regions can nest, cut and tie at once; widths were tried above. */
TEST("small: every list of four, every PC")
{
	static const u32 scale = 0x10000;
	struct space space = { 4, 4, 4, 1, &scale };

	return try_places(&space, 1, SCALE_WIDTHS);
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
	return (random_one_in(12) ? PROFIL_REGION_OVERFLOW : 0) |
	       (random_one_in(3) ? PROFIL_REGION_SPLIT : 0);
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
	u32 i;

	for (i = 0; i < RANDOM_LISTS; i++) {
		u64 low = random_edge();

		if (low > U64_MAX - WINDOW)
			low = U64_MAX - WINDOW + 1;
		if (!try_crowd(low))
			return false;
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
	u32 i;

	for (i = 0; i < RANDOM_LISTS; i++) {
		if (!try_wide(1 + random_below(16)))
			return false;
	}
	return true;
}

/*
 * Each region begins @step PCs after the one before and has @less PCs fewer;
 * the first has @text.
 */
static void fill_list(struct region_check *check, u64 step, u64 text, u64 less)
{
	u32 i;

	for (i = 0; i < check->map.nr_regions; i++) {
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

int main(int argc, char **argv)
{
	return cases_run(argc, argv);
}
