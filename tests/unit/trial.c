// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "trial.h"

#define POISON 0xa5
#define MOST_TOLD 12

/* What profil_region_map_build() is to set holds nothing that would do. */
static void poison(struct trial *trial)
{
	size_t nr = trial->map.nr_regions;

	memset(trial->map.spans, POISON,
	       (REGION_MAX_SPANS(nr) + 1) * sizeof(*trial->map.spans));
	memset(trial->scratch, POISON, (2 * nr + 1) * sizeof(*trial->scratch));
	memset(&trial->map.nr_spans, POISON, sizeof(trial->map.nr_spans));
	memset(&trial->map.overflow, POISON, sizeof(trial->map.overflow));
}

static bool is_poison(const void *data, size_t size)
{
	const unsigned char *byte = data;

	while (size--) {
		if (*byte++ != POISON)
			return false;
	}
	return true;
}

static void *allocate(size_t nr, size_t size)
{
	void *room = calloc(nr, size);

	if (room)
		return room;
	fprintf(stderr, "No memory for the tests: free some and try again.\n");
	exit(2);
}

void trial_open(struct trial *trial, u32 nr, u32 shift, bool round_up)
{
	trial->regions = allocate(nr, sizeof(*trial->regions));
	trial->scratch = allocate(2 * (size_t)nr + 1, sizeof(*trial->scratch));
	trial->map = (struct region_map){
		.regions = trial->regions,
		.spans = allocate(REGION_MAX_SPANS(nr) + 1,
				  sizeof(struct region_span)),
		.nr_regions = nr,
		.shift = shift,
		.round_up = round_up,
	};
	trial->model = (struct model){
		.regions = trial->regions,
		.nr = nr,
		.width = 1U << shift,
		.round_up = round_up,
	};
}

void trial_close(struct trial *trial)
{
	free(trial->map.spans);
	free(trial->scratch);
	free(trial->regions);
}

static void tell_region(const struct trial *trial, u32 i)
{
	const struct profil_region *region = &trial->regions[i];

	tap_note("%u: base %#llx size %#llx offset %#llx scale %#x flags %#x",
		 i, region->base, region->size, region->offset, region->scale,
		 region->flags);
}

/* A long list is not told whole. */
static void tell(const struct trial *trial)
{
	u32 i, nr = trial->map.nr_regions;

	tap_note("%u regions, width %u, round_up %d", nr, trial->model.width,
		 trial->map.round_up);
	for (i = 0; i < nr && i < MOST_TOLD; i++)
		tell_region(trial, i);
}

static bool fail(const struct trial *trial, const char *what)
{
	tap_note("%s", what);
	tell(trial);
	return false;
}

static bool check_room(const struct trial *trial)
{
	size_t nr = trial->map.nr_regions;

	if (trial->map.nr_spans > REGION_MAX_SPANS(nr))
		return fail(trial, "more spans than there is room for");
	if (!is_poison(&trial->map.spans[REGION_MAX_SPANS(nr)],
		       sizeof(*trial->map.spans)))
		return fail(trial, "wrote behind the spans");
	if (!is_poison(&trial->scratch[2 * nr], sizeof(*trial->scratch)))
		return fail(trial, "wrote behind the scratch space");
	return true;
}

static bool check_spans(const struct trial *trial)
{
	const struct region_span *span = trial->map.spans;
	u32 i;

	for (i = 0; i < trial->map.nr_spans; i++, span++) {
		if (span->first > span->last)
			return fail(trial, "a span ends before it begins");
		if (i && span->first <= span[-1].last)
			return fail(trial, "spans overlap or do not ascend");
		if (span->region >= trial->map.nr_regions)
			return fail(trial, "a span belongs to no region");
	}
	return true;
}

bool trial_build(struct trial *trial)
{
	poison(trial);
	profil_region_map_build(&trial->map, trial->scratch);
	return check_room(trial) && check_spans(trial);
}

/* The whole counter lies in the region's counters. */
static bool is_inside(const struct trial *trial, const struct region_hit *hit)
{
	const struct profil_region *region = &trial->regions[hit->region];

	return hit->counter >= region->base &&
	       hit->counter - region->base <= region->size - trial->model.width;
}

static void tell_miss(const struct trial *trial, u64 pc, u32 region,
		      u64 counter, const struct region_hit *hit)
{
	tap_note("PC %#llx falls on region %d counter %#llx, not on %d %#llx",
		 pc, (int)hit->region, hit->counter, (int)region, counter);
	tell(trial);
	if (region < trial->map.nr_regions)
		tell_region(trial, region);
	if (hit->region < trial->map.nr_regions)
		tell_region(trial, hit->region);
}

bool trial_probe(const struct trial *trial, u64 pc)
{
	struct region_hit hit;
	u64 counter = 0;
	u32 region = model_find(&trial->model, pc, &counter);

	tap_cases++;
	memset(&hit, POISON, sizeof(hit));
	if (!region_find(&trial->map, pc, &hit)) {
		hit = (struct region_hit){ .region = MODEL_NONE };
		if (region == MODEL_NONE)
			return true;
	} else if (hit.region == region && hit.counter == counter) {
		return is_inside(trial, &hit) ||
		       fail(trial, "a counter outside base..base+size");
	}
	tell_miss(trial, pc, region, counter, &hit);
	return false;
}

/* @pc and its neighbours; at the ends of the address space, the far end's. */
static bool probe_beside(const struct trial *trial, u64 pc)
{
	return trial_probe(trial, pc - 1) && trial_probe(trial, pc) &&
	       trial_probe(trial, pc + 1);
}

bool trial_probe_edges(const struct trial *trial)
{
	const struct profil_region *region;
	u32 i;

	for (i = 0; i < trial->map.nr_regions; i++) {
		region = &trial->regions[i];
		if (region->flags & PROFIL_REGION_OVERFLOW ||
		    !model_enabled(&trial->model, i))
			continue;
		if (!probe_beside(trial, region->offset) ||
		    !probe_beside(trial, model_last(&trial->model, i)))
			return false;
	}
	return probe_beside(trial, 0) && probe_beside(trial, U64_MAX);
}
