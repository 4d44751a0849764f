/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of regions on check: what profil_region_map_build() makes of it is checked
 * for its shape, and what region_find() says is compared with the model.
 */
#ifndef UNIT_REGION_CHECK_H
#define UNIT_REGION_CHECK_H

#include "model.h"
#include "region.h"

/*
 * The caller fills @regions. @map and @scratch have the room that region.h
 * asks for, and a canary behind it.
 */
struct region_check {
	struct profil_region *regions;
	struct region_map map;
	struct model model;
	u32 *scratch;
};

void region_check_open(struct region_check *check, u32 nr, u32 shift,
		       bool round_up);
void region_check_close(struct region_check *check);

/* Resolve the regions; false when the spans are not as region.h promises. */
bool region_check_build(struct region_check *check);

/* Whether @pc falls where the model says. */
bool region_check_probe(const struct region_check *check, u64 pc);

/*
 * Probe where each region begins and ends, and beside that. Nowhere else does
 * text pass from one region to another, so this settles whose every PC is.
 */
bool region_check_probe_edges(const struct region_check *check);

#endif /* UNIT_REGION_CHECK_H */
