// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sort.h>

#include "region.h"
#include "scale.h"

bool profil_region_enabled(const struct profil_region *region,
			   unsigned int shift)
{
	if (!(region->size >> shift))
		return false;
	return region->flags & PROFIL_REGION_OVERFLOW || region->scale > 1;
}

/* The last PC that the region contains. */
static u64 last_pc(const struct region_map *map, u32 i)
{
	const struct profil_region *region = &map->regions[i];
	u64 reach = scale_reach(region->size >> map->shift, region->scale,
				map->shift, map->rule);

	if (reach > U64_MAX - region->offset)
		return U64_MAX;
	return region->offset + reach;
}

/*
 * Ascending by offset; of equal offsets the first region comes last. A later
 * region in this order takes precedence over an earlier one.
 */
static int by_precedence(const void *a, const void *b, const void *priv)
{
	const struct region_map *map = priv;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;
	u64 x = map->regions[i].offset, y = map->regions[j].offset;

	if (x != y)
		return x < y ? -1 : 1;
	return i > j ? -1 : i < j;
}

/* List in @order the regions that get spans; find the overflow bin. */
static u32 select_regions(struct region_map *map, u32 *order)
{
	u32 i, nr = 0;

	map->overflow = REGION_NONE;
	for (i = 0; i < map->nr_regions; i++) {
		if (!profil_region_enabled(&map->regions[i], map->shift))
			continue;
		if (!(map->regions[i].flags & PROFIL_REGION_OVERFLOW))
			order[nr++] = i;
		else if (map->overflow == REGION_NONE)
			map->overflow = i;
	}
	return nr;
}

/*
 * A sweep over the text. The stack holds the regions that have been entered and
 * not yet been found to end, the one with precedence on top. @next is the
 * lowest PC without a span yet; @done means that no PC is left.
 */
struct sweep {
	struct region_map *map;
	u32 *stack;
	u32 depth;
	u64 next;
	bool done;
};

static void add_span(struct sweep *sweep, u64 last)
{
	struct region_map *map = sweep->map;

	map->spans[map->nr_spans++] = (struct region_span){
		.first = sweep->next,
		.last = last,
		.region = sweep->stack[sweep->depth - 1],
	};
	sweep->next = last + 1;
	sweep->done = last == U64_MAX;
}

/* Make spans up to @limit from the regions on the stack, the top one first. */
static void sweep_to(struct sweep *sweep, u64 limit)
{
	while (sweep->depth && !sweep->done && sweep->next <= limit) {
		u64 last = last_pc(sweep->map, sweep->stack[sweep->depth - 1]);

		if (last < sweep->next) {
			sweep->depth--;
			continue;
		}
		add_span(sweep, last < limit ? last : limit);
	}
}

/* Prepare region_find_span(). */
static void set_search(struct region_map *map)
{
	u32 nr = 1;

	while (nr <= map->nr_spans / 2)
		nr *= 2;
	map->rest = map->spans + (map->nr_spans ? map->nr_spans - nr : 0);
	map->step = nr * sizeof(*map->spans) / 2;
}

void profil_region_map_build(struct region_map *map, u32 *scratch)
{
	u32 *order = scratch;
	struct sweep sweep = { .map = map, .stack = scratch + map->nr_regions };
	u32 i, nr = select_regions(map, order);

	sort_r(order, nr, sizeof(*order), by_precedence, NULL, map);
	map->nr_spans = 0;
	for (i = 0; i < nr; i++) {
		u64 offset = map->regions[order[i]].offset;

		if (offset)
			sweep_to(&sweep, offset - 1);
		sweep.next = offset;
		sweep.stack[sweep.depth++] = order[i];
	}
	sweep_to(&sweep, U64_MAX);
	set_search(map);
}
