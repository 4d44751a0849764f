// SPDX-License-Identifier: GPL-2.0-only
/* A profile in memory */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "profile.h"

struct object *profil_profile_object(struct profile *profile, const char *path,
				     uint64_t inode)
{
	struct object *object;

	for (size_t i = 0; i < profile->nr; i++) {
		object = &profile->objects[i];
		if (object->inode == inode && !strcmp(object->path, path))
			return object;
	}
	profile->objects =
		profil_grow(profile->objects, profile->nr + 1, sizeof(*object));
	object = &profile->objects[profile->nr++];
	*object = (struct object){
		.path = profil_copy(path),
		.inode = inode,
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
