// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stddef.h>

#include "core/object_at.h"

struct wanted {
	uint64_t address;
	struct object found;
};

static void look(const struct object *object, void *data)
{
	struct wanted *wanted = data;

	if (wanted->address >= object->start && wanted->address < object->end)
		wanted->found = *object;
}

struct object profil_object_at(uint64_t address)
{
	struct wanted wanted = { .address = address };

	profil_objects(look, &wanted);
	wanted.found.path = NULL;
	return wanted.found;
}
