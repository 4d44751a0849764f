// SPDX-License-Identifier: GPL-2.0-only
/* A profile in memory */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record/sample_table.h"
#include "util/memory.h"

static bool is_like(const struct object *one, const struct object *other)
{
	return one->kind == other->kind && !strcmp(one->path, other->path) &&
	       !memcmp(&one->identity, &other->identity, sizeof(one->identity));
}

struct object *profil_profile_object(struct profile *profile,
				     const struct object *wanted)
{
	struct object *object;

	for (size_t i = 0; i < profile->nr; i++)
		if (is_like(&profile->objects[i], wanted))
			return &profile->objects[i];
	profile->objects =
		profil_grow(profile->objects, profile->nr + 1, sizeof(*object));
	object = &profile->objects[profile->nr++];
	*object = (struct object){
		.kind = wanted->kind,
		.path = profil_copy(wanted->path),
		.identity = wanted->identity,
	};
	return object;
}

void profil_profile_add(struct profile *profile, struct object *object,
			uint64_t offset, uint64_t count)
{
	if (object->nr == object->room) {
		object->room = object->room ? 2 * object->room : 64;
		object->samples = profil_grow(object->samples, object->room,
					      sizeof(*object->samples));
	}
	object->samples[object->nr++] = (struct sample){ offset, count };
	profile->counted += count;
}

static int by_offset(const void *a, const void *b)
{
	const struct sample *one = a;
	const struct sample *other = b;

	return (one->offset > other->offset) - (one->offset < other->offset);
}

void profil_profile_sort(struct profile *profile)
{
	for (size_t i = 0; i < profile->nr; i++) {
		struct object *object = &profile->objects[i];

		if (object->nr)
			qsort(object->samples, object->nr,
			      sizeof(*object->samples), by_offset);
	}
}

uint64_t profil_profile_total(const struct profile *profile)
{
	return profile->counted + profile->outside + profile->lost;
}
