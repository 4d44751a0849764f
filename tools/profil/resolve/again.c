// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of a profile that was read, by the servers of DEBUGINFOD_URLS
 *
 * The recording has no lines of a file without debugging information. A server
 * may have it, also for a file that is not on this machine.
 */
#include <stdlib.h>

#include "elf/debuginfod.h"
#include "resolve/file.h"
#include "resolve/recorded_file.h"
#include "resolve/resolve.h"
#include "util/memory.h"

/* Per mille of all samples: files with less are not asked for. */
#define SHARE 1

static bool has_segments(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == object)
			return true;
	return false;
}

static bool is_wanted(const struct profile *profile,
		      const struct resolve_places *places)
{
	const struct profile_object *object = &profile->objects[places->object];
	uint64_t samples = 0;

	for (uint32_t i = places->first; i < places->last; i++)
		samples += profile->places[i].user + profile->places[i].kernel;
	return object->kind == PROFILE_FILE && object->build_id_size &&
	       !object->has_lines &&
	       samples >= profil_profile_total(profile) / 1000 * SHARE;
}

/* The code that the recording has of a function belongs to the new one. */
static void keep_code(struct profile *profile, uint32_t from, uint32_t to)
{
	const struct profile_function *old;
	struct profile_function *new;

	if (from == PROFILE_NONE || to == PROFILE_NONE)
		return;
	old = &profile->functions[from];
	new = &profile->functions[to];
	if (old->code && !new->code && old->address == new->address &&
	    old->size == new->size)
		new->code = old->code;
}

static void replace(struct profile *profile,
		    const struct resolve_places *places,
		    struct symbols *symbols)
{
	uint32_t nr = places->last - places->first;
	uint32_t *old = profil_grow(NULL, nr, sizeof(*old));

	for (uint32_t i = 0; i < nr; i++) {
		struct profile_place *place =
			&profile->places[places->first + i];

		old[i] = place->function;
		place->nr_frames = 0;
	}
	profil_resolve_symbols(profile, places, symbols);
	for (uint32_t i = 0; i < nr; i++)
		keep_code(profile, old[i],
			  profile->places[places->first + i].function);
	free(old);
	profile->objects[places->object].package = "";
}

static void resolve(struct profile *profile,
		    const struct resolve_places *places)
{
	struct symbols *symbols;
	uint64_t bias;

	if (!is_wanted(profile, places))
		return;
	symbols = profil_recorded_file_fetch(&profile->objects[places->object],
					     has_segments(profile,
							  places->object));
	if (!symbols)
		return;
	if (profil_symbols_dwarf(symbols, &bias))
		replace(profile, places, symbols);
	profil_symbols_close(symbols);
}

void profil_resolve_again(struct profile *profile)
{
	struct resolve_places places = { 0 };

	if (!profil_debuginfod_has_servers())
		return;
	profil_profile_sort(profile);
	while (places.first < profile->nr_places) {
		places.object = profile->places[places.first].object;
		while (places.last < profile->nr_places &&
		       profile->places[places.last].object == places.object)
			places.last++;
		resolve(profile, &places);
		places.first = places.last;
	}
}
