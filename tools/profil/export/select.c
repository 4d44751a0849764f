// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "export/name.h"
#include "export/select.h"
#include "util/memory.h"

static bool matches(const regex_t *regex, const char *name)
{
	return !regexec(regex, name, 0, NULL, 0);
}

/* Paths match as they are, names in UTF-8. */
static bool object_matches(const struct profile *profile, uint32_t object,
			   const regex_t *regex)
{
	const struct profile_object *it = &profile->objects[object];
	char *name;
	bool result;

	if (it->kind == PROFILE_FILE)
		return matches(regex, it->path);
	name = profil_export_object_name(profile, object);
	result = matches(regex, name);
	free(name);
	return result;
}

/* Whether each object matches, to be freed */
static bool *match_objects(const struct profile *profile, const regex_t *regex)
{
	bool *selected = profil_grow(NULL, profile->nr_objects + 1ULL,
				     sizeof(*selected));

	for (uint32_t i = 0; i < profile->nr_objects; i++)
		selected[i] = object_matches(profile, i, regex);
	return selected;
}

void profil_export_select(struct profile *profile, const regex_t *regex)
{
	bool *selected = match_objects(profile, regex);
	struct profile_place *to = profile->places;

	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (selected[profile->places[i].object])
			*to++ = profile->places[i];
	profile->nr_places = to - profile->places;
	if (!matches(regex, EXPORT_OUTSIDE))
		profile->head.outside = 0;
	if (!matches(regex, EXPORT_LOST))
		profile->head.lost = 0;
	free(selected);
}
