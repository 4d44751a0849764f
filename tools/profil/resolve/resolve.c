// SPDX-License-Identifier: GPL-2.0-only
/* Names for the places of a profile */
#include <stdio.h>
#include <stdlib.h>

#include "elf/function_name.h"
#include "elf/symbols.h"
#include "resolve/package.h"
#include "resolve/resolve.h"
#include "util/interrupt.h"

/* Upper limit of packages that are looked up, since each takes a moment */
#define MAX_PACKAGES 3

/* Percent of all samples: files with less in nameless functions get no package */
#define SHARE 2

/**
 * struct object_work - an object whose places are looked up
 * @profile: the profile
 * @index: index of the object
 * @symbols: symbols of the file, or NULL if it was not read
 * @last: location of the last function
 * @function: index of the last function, or PROFILE_NONE
 * @nameless: samples in functions without a symbol
 */
struct object_work {
	struct profile *profile;
	uint32_t index;
	struct symbols *symbols;
	struct location last;
	uint32_t function;
	uint64_t nameless;
};

static void add_function(struct object_work *work,
			 const struct location *location)
{
	const char *path = work->profile->objects[work->index].path;
	char *name = profil_function_name(path, location);
	struct profile_function function = {
		.object = work->index,
		.symbol = location->name ? location->name : "",
		.name = name,
		.address = location->address,
		.file = "",
	};

	work->function = profil_profile_add_function(work->profile, &function);
	work->last = *location;
	free(name);
}

/* Places are sorted, so those of one function follow each other. */
static void resolve_place(struct object_work *work, struct profile_place *place)
{
	struct location location = { .address = place->offset };

	place->address = place->offset;
	if (work->symbols) {
		profil_boundaries_link_address(
			profil_symbols_boundaries(work->symbols), place->offset,
			&place->address);
		location =
			profil_symbols_at_offset(work->symbols, place->offset);
	}
	if (work->function == PROFILE_NONE ||
	    work->last.address != location.address)
		add_function(work, &location);
	place->function = work->function;
	if (!location.name)
		work->nameless += place->user + place->kernel;
}

static void open_file(struct object_work *work,
		      const struct resolve_origin *origin)
{
	static const enum profile_names names[] = {
		[SYMBOLS_READ] = PROFILE_NAMES_READ,
		[SYMBOLS_UNREADABLE] = PROFILE_NAMES_UNREADABLE,
		[SYMBOLS_REPLACED] = PROFILE_NAMES_REPLACED,
	};
	struct profile_object *object = &work->profile->objects[work->index];

	object->names = PROFILE_NAMES_SKIPPED;
	if (profil_interrupted())
		return;
	work->symbols = profil_symbols_open(object->path, &origin->identity);
	object->names = names[profil_symbols_status(work->symbols)];
}

static void find_package(struct object_work *work, uint64_t total, int *asked)
{
	struct profile_object *object = &work->profile->objects[work->index];
	char name[128];

	if (object->names != PROFILE_NAMES_READ ||
	    work->nameless * 100 <= total * SHARE || *asked == MAX_PACKAGES)
		return;
	++*asked;
	if (profil_package_of_symbols(object->path, name, sizeof(name)))
		object->package = profil_profile_string(work->profile, name);
}

void profil_resolve(struct profile *profile,
		    const struct resolve_origin *origins)
{
	uint64_t total = profil_profile_total(profile);
	struct profile_place *place = profile->places;
	struct profile_place *end = place + profile->nr_places;
	int asked = 0;

	while (place < end) {
		struct object_work work = {
			.profile = profile,
			.index = place->object,
			.function = PROFILE_NONE,
		};
		bool is_file = profile->objects[work.index].kind ==
			       PROFILE_FILE;

		if (is_file)
			open_file(&work, &origins[work.index]);
		for (; place < end && place->object == work.index; place++) {
			if (is_file) {
				resolve_place(&work, place);
				continue;
			}
			place->address = place->offset;
			place->function = PROFILE_NONE;
		}
		if (work.symbols)
			profil_symbols_close(work.symbols);
		if (is_file)
			find_package(&work, total, &asked);
	}
}
