// SPDX-License-Identifier: GPL-2.0-only
/* Object of a profile for formats that have a single one */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/main_object.h"
#include "util/memory.h"

/* Samples of each object, to be freed */
static uint64_t *samples_of_objects(const struct profile *profile)
{
	uint64_t *samples =
		profil_grow(NULL, profile->nr_objects + 1ULL, sizeof(*samples));

	memset(samples, 0, profile->nr_objects * sizeof(*samples));
	for (uint32_t i = 0; i < profile->nr_places; i++)
		samples[profile->places[i].object] +=
			profile->places[i].user + profile->places[i].kernel;
	return samples;
}

static bool is_program(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_programs; i++)
		if (profile->programs[i] == profile->objects[object].path)
			return true;
	return false;
}

/**
 * struct choice - choice of the object
 * @file: a file with samples
 * @program: a program with samples
 * @files: number of files with samples
 * @programs: number of programs with samples
 */
struct choice {
	uint32_t file;
	uint32_t program;
	uint32_t files;
	uint32_t programs;
};

static struct choice candidates_of(const struct profile *profile,
				   const uint64_t *samples)
{
	struct choice choice = { 0 };

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		if (profile->objects[i].kind != PROFILE_FILE || !samples[i])
			continue;
		choice.file = i;
		choice.files++;
		if (is_program(profile, i)) {
			choice.program = i;
			choice.programs++;
		}
	}
	return choice;
}

uint32_t profil_main_object(const struct profile *profile,
			    struct main_object *it)
{
	uint64_t *samples = samples_of_objects(profile);
	struct choice choice = candidates_of(profile, samples);

	it->object = choice.files == 1 ? choice.file : choice.program;
	it->samples = choice.files ? samples[it->object] : 0;
	free(samples);
	return choice.programs == 1 ? 1 : choice.files;
}
