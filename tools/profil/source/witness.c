// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that confirm the source files of a profile
 *
 * A profile from elsewhere may name any file of this machine. A source file is
 * also named by the debugging information of the program.
 */
#include <string.h>

#include "resolve/recorded_file.h"
#include "source/witness.h"

/* Places of a source file that are looked up */
#define MAX_PLACES 16

void profil_witness_begin(struct witness *witness,
			  const struct profile *profile)
{
	*witness = (struct witness){
		.profile = profile,
		.object = PROFILE_NONE,
	};
}

void profil_witness_end(struct witness *witness)
{
	profil_units_end(&witness->units);
	if (witness->symbols)
		profil_symbols_close(witness->symbols);
	witness->symbols = NULL;
	witness->object = PROFILE_NONE;
}

/* A relative path is that of a file beside a profile from elsewhere. */
static struct symbols *open_file(const struct profile_object *object)
{
	return *object->path == '/' ? profil_recorded_file_open(object) : NULL;
}

static void open_object(struct witness *witness, uint32_t object)
{
	if (witness->object == object)
		return;
	profil_witness_end(witness);
	witness->object = object;
	witness->symbols = open_file(&witness->profile->objects[object]);
	profil_units_begin(&witness->units, witness->symbols, &witness->bias);
}

static bool is_listed(Dwarf_Die *unit, const char *file)
{
	Dwarf_Files *files;
	size_t nr;

	if (dwarf_getsrcfiles(unit, &files, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (path && !strcmp(path, file))
			return true;
	}
	return false;
}

static bool confirms(struct witness *witness, const struct profile_place *place,
		     const char *file)
{
	Dwarf_Die unit, full;

	open_object(witness, place->object);
	if (!profil_units_find(&witness->units, place->address + witness->bias,
			       &unit))
		return false;
	profil_units_full(&witness->units, &unit, &full);
	return is_listed(&unit, file) ||
	       (full.addr != unit.addr && is_listed(&full, file));
}

/* Strings of a profile are unique. */
static bool has_file(const struct profile *profile,
		     const struct profile_place *place, const char *file)
{
	for (uint32_t i = 0; i < place->nr_frames; i++)
		if (profile->frames[place->frames + i].file == file)
			return true;
	return false;
}

bool profil_witness_names(struct witness *witness, const char *file)
{
	const struct profile *profile = witness->profile;
	int tried = 0;

	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];

		if (!has_file(profile, place, file))
			continue;
		if (confirms(witness, place, file))
			return true;
		if (++tried == MAX_PLACES)
			break;
	}
	return false;
}
