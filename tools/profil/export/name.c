// SPDX-License-Identifier: GPL-2.0-only
/* Names of exported functions and objects */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/name.h"
#include "util/memory.h"
#include "util/text.h"

/* Free @text and return it as UTF-8. */
static char *utf8(char *text)
{
	char *copy = profil_text_utf8(text);

	free(text);
	return copy;
}

static char *with_base(const char *format, const char *path, uint64_t address)
{
	const char *base = profil_text_base(path);
	size_t room = snprintf(NULL, 0, format, base, address) + 1;
	char *text = profil_grow(NULL, room, 1);

	snprintf(text, room, format, base, address);
	return utf8(text);
}

static char *at_address(const struct profile *profile, uint32_t object,
			uint64_t address)
{
	return with_base("%s+%#" PRIx64, profile->objects[object].path,
			 address);
}

char *profil_export_object_name(const struct profile *profile, uint32_t object)
{
	const struct profile_object *it = &profile->objects[object];

	if (it->kind == PROFILE_OUTSIDE)
		return profil_copy_string(EXPORT_OUTSIDE);
	if (it->kind == PROFILE_JIT)
		return with_base("[jit: %s]", it->path, 0);
	return profil_text_utf8(it->path);
}

char *profil_export_function_name(const struct profile *profile,
				  uint32_t function)
{
	const struct profile_function *it = &profile->functions[function];

	if (*it->name)
		return profil_text_utf8(it->name);
	return at_address(profile, it->object, it->address);
}

char *profil_export_place_name(const struct profile *profile,
			       const struct profile_place *place)
{
	if (place->function != PROFILE_NONE)
		return profil_export_function_name(profile, place->function);
	if (profile->objects[place->object].kind == PROFILE_FILE)
		return at_address(profile, place->object, place->address);
	return profil_export_object_name(profile, place->object);
}
