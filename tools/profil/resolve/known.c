// SPDX-License-Identifier: GPL-2.0-only
/* Names that an earlier snapshot of the same recording has */
#include <stdlib.h>
#include <string.h>

#include "resolve/known.h"
#include "resolve/resolve.h"
#include "util/memory.h"

static int by_file(const void *a, const void *b)
{
	const struct known_object *one = a, *other = b;
	int order = strcmp(one->object->path, other->object->path);

	return order ? order :
		       memcmp(&one->identity, &other->identity,
			      sizeof(one->identity));
}

/* Add the object of the places from @first to @last. */
static void add(struct known *known, uint32_t first, uint32_t last)
{
	const struct profile *profile = &known->profile;
	const struct profile_place *places = &profile->places[first];
	const struct profile_object *object = &profile->objects[places->object];

	if (object->kind != PROFILE_FILE)
		return;
	known->objects[known->nr_objects++] = (struct known_object){
		.profile = profile,
		.object = object,
		.identity = known->origins[places->object].identity,
		.places = places,
		.nr_places = last - first,
	};
}

static void add_all(struct known *known)
{
	const struct profile *profile = &known->profile;
	uint32_t first = 0;

	known->objects = profil_grow(NULL, profile->nr_objects + 1ULL,
				     sizeof(*known->objects));
	for (uint32_t i = 1; i <= profile->nr_places; i++) {
		if (i < profile->nr_places &&
		    profile->places[i].object == profile->places[first].object)
			continue;
		add(known, first, i);
		first = i;
	}
	ARRAY_SORT(known->objects, known->nr_objects, by_file);
}

static void clear(struct known *known)
{
	profil_profile_free(&known->profile);
	free(known->objects);
	known->objects = NULL;
	known->nr_objects = 0;
}

void profil_known_set_origins(struct known *known,
			      struct resolve_origin *origins)
{
	free(known->origins);
	known->origins = origins;
}

void profil_known_keep(struct known *known, struct profile *profile)
{
	clear(known);
	known->profile = *profile;
	*profile = (struct profile){ 0 };
	add_all(known);
	profil_known_set_origins(known, NULL);
}

void profil_known_free(struct known *known)
{
	clear(known);
	profil_known_set_origins(known, NULL);
}

const struct known_object *
profil_known_object(const struct known *known, const struct profile *profile,
		    uint32_t index, const struct resolve_origin *origins)
{
	struct known_object key = { .object = &profile->objects[index] };

	if (!known || !known->nr_objects || !origins ||
	    key.object->kind != PROFILE_FILE)
		return NULL;
	key.identity = origins[index].identity;
	return bsearch(&key, known->objects, known->nr_objects, sizeof(key),
		       by_file);
}

/*
 * A file that was read once and cannot be read any more has places of both kinds.
 * A function by a place that was not looked up has no size.
 */
static bool is_known(const struct known_object *object,
		     const struct profile_place *place)
{
	return object->object->names == PROFILE_NAMES_READ ||
	       object->profile->functions[place->function].size;
}

const struct profile_place *
profil_known_place(const struct known_object *object, uint64_t offset)
{
	uint32_t low = 0, high = object ? object->nr_places : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (object->places[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!object || low == object->nr_places ||
	    object->places[low].offset != offset ||
	    !is_known(object, &object->places[low]))
		return NULL;
	return &object->places[low];
}
