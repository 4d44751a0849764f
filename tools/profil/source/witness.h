/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SOURCE_WITNESS_H
#define PROFIL_SOURCE_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"
#include "resolve/units.h"

/**
 * struct witness - programs on this machine that confirm names in a profile
 * @profile: the profile
 * @object: index of the last object that was looked for, or PROFILE_NONE
 * @symbols: its file, or NULL
 * @units: units of the file
 * @bias: difference between addresses in the DWARF information and link-time
 *	addresses
 */
struct witness {
	const struct profile *profile;
	uint32_t object;
	struct symbols *symbols;
	struct units units;
	uint64_t bias;
};

void profil_witness_begin(struct witness *witness,
			  const struct profile *profile);
void profil_witness_end(struct witness *witness);

/*
 * True if a recorded file that is still there has debugging information by which
 * @file, a string of the profile, is a source file of code with samples.
 */
bool profil_witness_names(struct witness *witness, const char *file);

#endif
