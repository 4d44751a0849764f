/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the profile of a recording: what was counted since a mark, and new places */
#ifndef PROFIL_EXTRACT_H
#define PROFIL_EXTRACT_H

#include "record/growing.h"

/* Bytes of names that each place of a recording has room for */
#define NAMES_OF_EACH 1024

/*
 * Add to the initialized @profile what was counted since @mark: samples, sorted, and
 * the parts of the profile that these refer to. All such profiles have the first
 * program and its file.
 */
void profil_growing_since(const struct growing *growing,
			  const struct mark *mark, struct profile *profile);

/*
 * Add to the initialized @profile all objects, the places after @nr_named, each with a
 * sample, and functions with machine code; their strings have @room bytes, and
 * NAMES_OF_EACH for each place. The number of functions and places that are left without
 * names
 */
uint32_t profil_growing_places(const struct growing *growing, uint64_t room,
			       struct profile *profile);

#endif
