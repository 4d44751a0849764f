/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps: ranges of memory for the code of a profile
 *
 * A profile has offsets in files. Formats with addresses in memory need a map
 * of each file, at an address that is made up here: a file that is loaded at any
 * address gets a range of its own.
 */
#ifndef PROFIL_MAPS_H
#define PROFIL_MAPS_H

#include "profile/tree.h"

/* A range of memory, in whole pages. @offset: offset in the file; 0 in other objects */
struct export_map {
	uint32_t object;
	uint64_t start;
	uint64_t size;
	uint64_t offset;
};

/*
 * Ranges of all places of samples and callers, in the order of the objects, and the index of the
 * one of each place
 */
struct export_maps {
	struct export_map *maps;
	uint32_t nr;
	uint32_t *of_place;
};

/* Make the maps of the places of @leaves, those of the profile. */
void profil_export_maps_make(struct export_maps *maps,
			     const struct profile *profile,
			     const struct leaves *leaves);
void profil_export_maps_free(struct export_maps *maps);

/* Address in memory of the place with index @place */
uint64_t profil_export_maps_address(const struct export_maps *maps,
				    const struct profile *profile,
				    uint32_t place);

#endif
