/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regions: which counter a PC falls on. Pure: compiles on the host too. The regions of a
 * session may overlap and be in any order. START resolves them into spans: disjoint and
 * ascending ranges of text with one region each, for one binary search by a sample.
 */
#ifndef PROFIL_REGION_H
#define PROFIL_REGION_H

#include <linux/build_bug.h> /* for nospec.h, which lacks it on arm64 */
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/nospec.h>
#include <linux/types.h>
#include <linux/profil.h>

#include "scale.h"

#define REGION_NONE U32_MAX

/* The PCs @first to @last belong to @region. */
struct region_span {
	u64 first;
	u64 last;
	u32 region;
};

/**
 * struct region_map - the regions of a session, resolved. Constant after
 *	profil_region_map_build(), for which the caller has set @regions, @spans,
 *	@nr_regions, @shift and @rule
 * @regions: the regions of START, their sizes whole counters
 * @spans: room for REGION_MAX_SPANS(@nr_regions)
 * @rest: the last 2^n spans, n as large as possible
 * @step: bytes of half of those
 * @nr_regions: elements of @regions
 * @nr_spans: elements of @spans
 * @overflow: the overflow bin, a region for all other PCs, or REGION_NONE
 * @shift: a counter is 1 << @shift bytes
 * @rule: how distances are scaled, an enum scale_rule
 */
struct region_map {
	const struct profil_region *regions;
	struct region_span *spans;
	const struct region_span *rest;
	unsigned long step;
	u32 nr_regions;
	u32 nr_spans;
	u32 overflow;
	u8 shift;
	u8 rule;
};

/* Each region begins a span, and ends one that it may have cut in two. */
#define REGION_MAX_SPANS(nr) (2 * (size_t)(nr))

/* The region of a PC, and the address of its counter. */
struct region_hit {
	u64 counter;
	u32 region;
};

/* Does the region count? It needs a scale, and room for a counter. */
bool profil_region_enabled(const struct profil_region *region,
			   unsigned int shift);

/*
 * Resolve the regions. Of several that contain a PC the one with the largest offset takes
 * it; of several with that offset, the first. @scratch: 2 * @map->nr_regions elements
 */
void profil_region_map_build(struct region_map *map, u32 *scratch);

/*
 * Find the span of @pc; false if there is none. The last span that begins at or below @pc
 * is among the first 2^n spans, or among the last 2^n. Each step then halves the number; it
 * is in bytes, since a multiplication in each would take longer.
 */
static __always_inline bool region_find_span(const struct region_map *map,
					     u64 pc,
					     const struct region_span **found)
{
	const struct region_span *span = map->spans, *half = map->rest;
	unsigned long step;

	if (!map->nr_spans)
		return false;
	if (half->first <= pc)
		span = half;
	for (step = map->step; step >= sizeof(*span); step /= 2) {
		half = (const void *)span + step;
		if (half->first <= pc)
			span = half;
	}
	*found = span;
	return span->first <= pc && pc <= span->last;
}

/* The counter of @pc in @span. Speculation may step between two spans. */
static __always_inline void region_hit(const struct region_map *map,
				       const struct region_span *span, u64 pc,
				       struct region_hit *hit)
{
	u32 nr = array_index_nospec(span->region, map->nr_regions);
	const struct profil_region *region = &map->regions[nr];
	u64 index = scale_index(pc - region->offset, region->scale, map->shift,
				map->rule);

	hit->region = nr;
	hit->counter = region->base + (index << map->shift);
}

static inline bool region_has_overflow(const struct region_map *map)
{
	return map->overflow < map->nr_regions;
}

/* Find the counter of @pc; false when no region takes @pc. */
static __always_inline bool region_find(const struct region_map *map, u64 pc,
					struct region_hit *hit)
{
	const struct region_span *span;

	if (region_find_span(map, pc, &span)) {
		region_hit(map, span, pc, hit);
		return true;
	}
	if (!region_has_overflow(map))
		return false;
	/* Under speculation there may be no overflow bin. */
	hit->region = array_index_nospec(map->overflow, map->nr_regions);
	hit->counter = map->regions[hit->region].base;
	return true;
}

#endif /* PROFIL_REGION_H */
