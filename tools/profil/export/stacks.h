/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks: samples with the places that have called
 *
 * Each sample of a profile is in one of them. Those of recordings of callers have the
 * stack of the recording. Others have no caller.
 */
#ifndef PROFIL_STACKS_H
#define PROFIL_STACKS_H

#include "profile/profile.h"

/* Samples, and the index of the profile's stack of the caller, or PROFILE_NONE */
struct export_stack {
	struct profile_sample sample;
	uint32_t caller;
};

/*
 * All samples of a profile, first those with callers; and if each stack of the profile is
 * one of them, or one of their callers
 */
struct export_stacks {
	struct export_stack *array;
	uint32_t nr;
	bool *are_used;
};

/*
 * Without stacks in @profile, they are its samples, in their order. Where functions of the
 * kernel have the samples in kernel mode, stacks have none.
 */
void profil_export_stacks_make(struct export_stacks *stacks,
			       const struct profile *profile);
void profil_export_stacks_free(struct export_stacks *stacks);

/*
 * Places of @stack from that of the samples to the outermost caller, and their number, in
 * an array to be freed
 */
uint32_t *profil_export_stack_places(const struct profile *profile,
				     const struct export_stack *stack,
				     uint32_t *nr);

#endif
