/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of regions on trial: what profil_region_map_build() makes of it is checked
 * for its shape, and what region_find() says is compared with the model.
 */
#ifndef UNIT_TRIAL_H
#define UNIT_TRIAL_H

#include "model.h"
#include "region.h"

/*
 * The caller fills @regions. @map and @scratch have the room that region.h
 * asks for, and a canary behind it.
 */
struct trial {
	struct profil_region *regions;
	struct region_map map;
	struct model model;
	u32 *scratch;
};

void trial_open(struct trial *trial, u32 nr, u32 shift, bool round_up);
void trial_close(struct trial *trial);

/* Resolve the regions; false when the spans are not as region.h promises. */
bool trial_build(struct trial *trial);

/* Whether @pc falls where the model says. */
bool trial_probe(const struct trial *trial, u64 pc);

/*
 * Probe where each region begins and ends, and beside that. Nowhere else does
 * text pass from one region to another, so this settles whose every PC is.
 */
bool trial_probe_edges(const struct trial *trial);

#endif /* UNIT_TRIAL_H */
