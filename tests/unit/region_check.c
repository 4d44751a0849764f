// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "region_check.h"

#define POISON 0xa5
#define MAX_NOTED 12

/* Fill all that profil_region_map_build() has to set with invalid values. */
static void poison(struct region_check *check)
{
	size_t nr = check->map.nr_regions;

	memset(check->map.spans, POISON,
	       REGION_MAX_SPANS(nr) * sizeof(*check->map.spans));
	memset(check->scratch, POISON, 2 * nr * sizeof(*check->scratch));
	memset(&check->map.nr_spans, POISON, sizeof(check->map.nr_spans));
	memset(&check->map.overflow, POISON, sizeof(check->map.overflow));
}

static void *allocate(size_t nr, size_t size)
{
	void *room = calloc(nr, size);

	if (room)
		return room;
	fprintf(stderr, "No memory for the tests: free some and try again.\n");
	exit(2);
}

void region_check_open(struct region_check *check, u32 nr, u32 shift, u32 rule)
{
	check->regions = allocate(nr, sizeof(*check->regions));
	check->scratch = allocate(2 * (size_t)nr, sizeof(*check->scratch));
	check->map = (struct region_map){
		.regions = check->regions,
		.spans = allocate(REGION_MAX_SPANS(nr),
				  sizeof(struct region_span)),
		.nr_regions = nr,
		.shift = shift,
		.rule = rule,
	};
	check->model = (struct model){
		.regions = check->regions,
		.nr = nr,
		.width = 1U << shift,
		.rule = rule,
	};
}

void region_check_close(struct region_check *check)
{
	free(check->map.spans);
	free(check->scratch);
	free(check->regions);
}

static void note_region(const struct region_check *check, u32 i)
{
	const struct profil_region *region = &check->regions[i];

	tap_note("%u: base %#llx size %#llx offset %#llx scale %#x flags %#x",
		 i, region->base, region->size, region->offset, region->scale,
		 region->flags);
}

/* Print the list, but no more than MAX_NOTED regions. */
static void note_list(const struct region_check *check)
{
	u32 i, nr = check->map.nr_regions;

	tap_note("%u regions, width %u, rule %d", nr, check->model.width,
		 check->map.rule);
	for (i = 0; i < nr && i < MAX_NOTED; i++)
		note_region(check, i);
}

static bool fail(const struct region_check *check, const char *what)
{
	tap_note("%s", what);
	note_list(check);
	return false;
}

static bool check_spans(const struct region_check *check)
{
	const struct region_span *span = check->map.spans;

	if (check->map.nr_spans > REGION_MAX_SPANS(check->map.nr_regions))
		return fail(check, "more spans than there is room for");
	for (u32 i = 0; i < check->map.nr_spans; i++, span++) {
		if (span->first > span->last)
			return fail(check, "a span ends before it begins");
		if (i && span->first <= span[-1].last)
			return fail(check, "spans overlap or do not ascend");
		if (span->region >= check->map.nr_regions)
			return fail(check, "a span belongs to no region");
	}
	return true;
}

bool region_check_build(struct region_check *check)
{
	poison(check);
	profil_region_map_build(&check->map, check->scratch);
	return check_spans(check);
}

/* Is the whole counter in the counters of its region? */
static bool is_inside(const struct region_check *check,
		      const struct region_hit *hit)
{
	const struct profil_region *region = &check->regions[hit->region];

	return hit->counter >= region->base &&
	       hit->counter - region->base <= region->size - check->model.width;
}

static void note_mismatch(const struct region_check *check, u64 pc, u32 region,
			  u64 counter, const struct region_hit *hit)
{
	tap_note("PC %#llx falls on region %d counter %#llx, not on %d %#llx",
		 pc, (int)hit->region, hit->counter, (int)region, counter);
	note_list(check);
	if (region < check->map.nr_regions)
		note_region(check, region);
	if (hit->region < check->map.nr_regions)
		note_region(check, hit->region);
}

bool region_check_probe(const struct region_check *check, u64 pc)
{
	struct region_hit hit;
	u64 counter = 0;
	u32 region = model_find(&check->model, pc, &counter);

	cases_tried++;
	memset(&hit, POISON, sizeof(hit));
	if (!region_find(&check->map, pc, &hit)) {
		hit = (struct region_hit){ .region = MODEL_NONE };
		if (region == MODEL_NONE)
			return true;
	} else if (hit.region == region && hit.counter == counter) {
		return is_inside(check, &hit) ||
		       fail(check, "a counter outside base..base+size");
	}
	note_mismatch(check, pc, region, counter, &hit);
	return false;
}

/* Probe @pc and both neighbours. Addresses wrap around at both ends. */
static bool probe_beside(const struct region_check *check, u64 pc)
{
	return region_check_probe(check, pc - 1) &&
	       region_check_probe(check, pc) &&
	       region_check_probe(check, pc + 1);
}

bool region_check_probe_edges(const struct region_check *check)
{
	const struct profil_region *region;

	for (u32 i = 0; i < check->map.nr_regions; i++) {
		region = &check->regions[i];
		if (region->flags & PROFIL_REGION_OVERFLOW ||
		    !model_enabled(&check->model, i))
			continue;
		CHECK(probe_beside(check, region->offset) &&
		      probe_beside(check, model_last(&check->model, i)));
	}
	return probe_beside(check, 0) && probe_beside(check, U64_MAX);
}
