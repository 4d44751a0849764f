/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the profile of a recording: what was counted since a mark, and new places */
#ifndef PROFIL_EXTRACT_H
#define PROFIL_EXTRACT_H

#include "record/growing.h"

/*
 * Add to the initialized @profile what was counted since @mark: samples, sorted, and
 * the parts of the profile that these refer to. All such profiles have the first
 * program and its file.
 */
void profil_growing_since(const struct growing *growing,
			  const struct mark *mark, struct profile *profile);

/* The part of profil_growing_resolve() that a child does, for places after @nr_named */
void profil_growing_find_names(struct growing *growing);

#endif
