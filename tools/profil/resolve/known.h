/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that an earlier snapshot of the same recording has
 *
 * Counters only grow, so the places of a snapshot are places of each later one.
 * The last snapshot is kept, and no file.
 */
#ifndef PROFIL_RESOLVE_KNOWN_H
#define PROFIL_RESOLVE_KNOWN_H

#include <stdint.h>

#include "include/run_layout.h"
#include "profile/profile.h"

struct resolve_origin;

/**
 * struct known_object - a file
 * @profile: the snapshot
 * @object: the file in it
 * @identity: identity of the file
 * @places: places of the file
 * @nr_places: elements of @places
 */
struct known_object {
	const struct profile *profile;
	const struct profile_object *object;
	struct run_identity identity;
	const struct profile_place *places;
	uint32_t nr_places;
};

/**
 * struct known - the last snapshot; empty if all is 0
 * @profile: the snapshot
 * @origins: origins of the objects of the next snapshot, or NULL
 * @objects: files of @profile, sorted
 * @nr_objects: elements of @objects
 */
struct known {
	struct profile profile;
	struct resolve_origin *origins;
	struct known_object *objects;
	uint32_t nr_objects;
};

/* Take @origins, those of the profile that profil_known_keep() gets next. */
void profil_known_set_origins(struct known *known,
			      struct resolve_origin *origins);

/* Take @profile, which is resolved, in place of the snapshot before. */
void profil_known_keep(struct known *known, struct profile *profile);
void profil_known_free(struct known *known);

/*
 * The file that is the object @index of @profile, by its path and its identity
 * in @origins, or NULL. @known and @origins may be NULL.
 */
const struct known_object *
profil_known_object(const struct known *known, const struct profile *profile,
		    uint32_t index, const struct resolve_origin *origins);

/*
 * The first place of @object at @offset, or NULL if there is none that was looked
 * up; also if @object is NULL
 */
const struct profile_place *
profil_known_place(const struct known_object *object, uint64_t offset);

#endif
