/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaves: samples with the places that have called
 *
 * Each sample of a profile is in one of them. Those of recordings of callers have the
 * stack of the recording. Others have no caller.
 */
#ifndef PROFIL_LEAVES_H
#define PROFIL_LEAVES_H

#include "profile/profile.h"

/* Samples, and the index of the profile's stack of the caller, or PROFILE_NONE */
struct leaf {
	struct profile_sample sample;
	uint32_t caller;
};

/*
 * All samples of a profile, first those with callers; and if each stack of the profile has
 * samples, or has called one that has
 */
struct leaves {
	struct leaf *array;
	uint32_t nr;
	bool *are_used;
};

/*
 * Without stacks in @profile, they are its samples, in their order.
 */
void profil_leaves_make(struct leaves *leaves, const struct profile *profile);
void profil_leaves_free(struct leaves *leaves);

/*
 * Places of @leaf from that of the samples to the outermost caller, and their number, in
 * an array to be freed
 */
uint32_t *profil_leaf_places(const struct profile *profile,
			     const struct leaf *leaf, uint32_t *nr);

#endif
