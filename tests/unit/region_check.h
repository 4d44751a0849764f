/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Region checks: the spans of profil_region_map_build() are valid, and
 * region_find() finds what the model does.
 */
#ifndef UNIT_REGION_CHECK_H
#define UNIT_REGION_CHECK_H

#include "model.h"
#include "region.h"

/*
 * A list of regions, filled by the caller, and its map. @map and @scratch have the room
 * that region.h asks for: the address sanitizer finds what is written behind it.
 */
struct region_check {
	struct profil_region *regions;
	struct region_map map;
	struct model model;
	u32 *scratch;
};

void region_check_open(struct region_check *check, u32 nr, u32 shift, u32 rule);
void region_check_close(struct region_check *check);

/* Resolve the regions; false unless the spans are as region.h promises. */
bool region_check_build(struct region_check *check);

/* Does region_find() find the counters of the model for @pc? */
bool region_check_probe(const struct region_check *check, u64 pc);

/*
 * Probe the first and the last PC of each region, and those beside them. PCs
 * change from one region to another nowhere else, so this proves every PC.
 */
bool region_check_probe_edges(const struct region_check *check);

#endif /* UNIT_REGION_CHECK_H */
