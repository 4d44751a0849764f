// SPDX-License-Identifier: GPL-2.0-only
/* Packages with the missing symbols of a profile's files */
#include <stdlib.h>
#include <string.h>

#include "elf/package.h"
#include "resolve/packages.h"
#include "util/interrupt.h"
#include "util/memory.h"

/* Percent of all samples: files with less in nameless functions get no package */
#define SHARE 2

/* Upper limit of packages that are looked up, since each takes a moment */
#define MAX_PACKAGES 3

/* A function with a symbol, or [plt], has a name. */
static bool is_nameless(const struct profile *profile, uint32_t function)
{
	return function != PROFILE_NONE &&
	       !*profile->functions[function].symbol &&
	       *profile->functions[function].name != '[';
}

/* Samples in functions without a symbol, for each object */
static uint64_t *count_nameless(const struct profile *profile)
{
	uint64_t *nameless =
		profil_grow(NULL, profile->nr_objects + 1, sizeof(*nameless));

	memset(nameless, 0, profile->nr_objects * sizeof(*nameless));
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];

		if (is_nameless(profile, place->function))
			nameless[place->object] += place->user + place->kernel;
	}
	return nameless;
}

static void look_up(struct profile *profile, struct profile_object *object)
{
	char name[128];

	if (profil_package_of_symbols(object->path, name, sizeof(name)))
		object->package = profil_profile_string(profile, name);
}

static void set_package(struct profile *profile, uint32_t index,
			const struct resolve_origin *origins,
			const struct known *known)
{
	struct profile_object *object = &profile->objects[index];
	const struct known_object *same =
		profil_known_object(known, profile, index, origins);

	if (same && same->object->is_package_known)
		object->package =
			profil_profile_string(profile, same->object->package);
	else
		look_up(profile, object);
	object->is_package_known = true;
}

void profil_resolve_packages(struct profile *profile,
			     const struct resolve_origin *origins,
			     const struct known *known)
{
	uint64_t total = profil_profile_total(profile);
	uint64_t *nameless = count_nameless(profile);
	int asked = 0;

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind != PROFILE_FILE ||
		    object->names != PROFILE_NAMES_READ ||
		    nameless[i] * 100 <= total * SHARE ||
		    profil_interrupted() || asked++ >= MAX_PACKAGES)
			continue;
		set_package(profile, i, origins, known);
	}
	free(nameless);
}
