// SPDX-License-Identifier: GPL-2.0-only
/* What formats have in common: reasons and names */
#include "export/format.h"
#include "profile/kernel.h"
#include "util/text.h"

const char *const profil_export_many_samples =
	"too many samples for the format";

/* The files that programs were executed from, by the addresses of their paths */
static struct index_map files_of_programs(const struct profile *profile)
{
	struct index_map files = { 0 };

	for (uint32_t i = 0; i < profile->nr_programs; i++) {
		const char *file = profile_file_of(&profile->programs[i]);
		struct index_key key = { { (uintptr_t)file } };

		profil_index_map_set(&files, key, i);
	}
	return files;
}

const char *profil_export_object(const struct profile *profile,
				 uint32_t *object, uint64_t *samples)
{
	struct naming *namings = profil_profile_namings(profile);
	struct index_map executed = files_of_programs(profile);
	uint32_t files = 0, programs = 0, file = 0, program = 0;

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *it = &profile->objects[i];
		struct index_key key = { { (uintptr_t)it->path } };

		if (it->kind != PROFILE_FILE ||
		    !strcmp(it->path, PROFILE_KERNEL) || !namings[i].samples)
			continue;
		file = i;
		files++;
		if (profil_index_map_find(&executed, key) != INDEX_NONE) {
			program = i;
			programs++;
		}
	}
	*object = files == 1 ? file : program;
	*samples = files ? namings[*object].samples : 0;
	profil_index_map_free(&executed);
	free(namings);
	if (!files)
		return "no sample is in code of a file";
	return programs == 1 || files == 1 ?
		       NULL :
		       "the format is for one file of code: name it with --object";
}

/* Free @text and return it as UTF-8. */
static char *utf8(char *text)
{
	char *copy = profil_text_utf8(text);

	free(text);
	return copy;
}

static char *at_address(const struct profile *profile, uint32_t object,
			uint64_t address)
{
	const char *base = profil_text_base(profile->objects[object].path);

	return utf8(profil_format("%s+%#" PRIx64, base, address));
}

char *profil_export_object_name(const struct profile *profile, uint32_t object)
{
	const struct profile_object *it = &profile->objects[object];

	if (it->kind == PROFILE_FILE)
		return profil_text_utf8(it->path);
	return utf8(profil_object_code(it));
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
