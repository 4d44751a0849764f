// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a profile, object by object */
#include "resolve/file.h"
#include "resolve/jit.h"
#include "resolve/known.h"
#include "resolve/packages.h"
#include "resolve/resolve.h"

/* Code that is in no file and was not generated has no function. */
static void skip(struct profile *profile, const struct resolve_places *places)
{
	for (uint32_t i = places->first; i < places->last; i++) {
		profile->places[i].address = profile->places[i].offset;
		profile->places[i].function = PROFILE_NONE;
	}
}

static void resolve(struct profile *profile,
		    const struct resolve_places *places,
		    const struct resolve_origin *origin)
{
	switch (profile->objects[places->object].kind) {
	case PROFILE_FILE:
		profil_resolve_file(profile, places, origin);
		break;
	case PROFILE_JIT:
		profil_resolve_jit(profile, places, origin);
		break;
	case PROFILE_OUTSIDE:
		skip(profile, places);
		break;
	}
}

void profil_resolve(struct profile *profile,
		    const struct resolve_origin *origins,
		    const struct known *known)
{
	struct resolve_places places = { 0 };

	while (places.first < profile->nr_places) {
		uint32_t object = profile->places[places.first].object;

		places.object = object;
		places.known =
			profil_known_object(known, profile, object, origins);
		while (places.last < profile->nr_places &&
		       profile->places[places.last].object == object)
			places.last++;
		resolve(profile, &places, origins ? &origins[object] : NULL);
		places.first = places.last;
	}
	profil_resolve_packages(profile, origins, known);
}
