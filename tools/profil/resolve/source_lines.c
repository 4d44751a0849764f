// SPDX-License-Identifier: GPL-2.0-only
/* Source lines and inlined functions of places */
#include <dwarf.h>
#include <stdlib.h>

#include "resolve/scopes.h"
#include "resolve/source_file.h"
#include "resolve/source_functions.h"
#include "resolve/source_lines.h"
#include "resolve/units.h"
#include "util/interrupt.h"

/* elfutils lacks the name. */
#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

/**
 * struct search - the places of a file while their lines are looked up
 * @profile: the profile
 * @bias: difference between addresses in the DWARF information and link-time
 *	addresses
 * @units: units of the file
 * @functions: functions that have been added
 * @entry: entry of the last function
 * @scopes: functions that were inlined in it
 * @is_cut: an interrupt has ended the search
 */
struct search {
	struct profile *profile;
	uint64_t bias;
	struct units units;
	struct source_functions functions;
	Dwarf_Die entry;
	struct scopes scopes;
	bool is_cut;
};

/* Where the function @die was called before it was inlined */
static struct profile_frame call_of(Dwarf_Die *die)
{
	return (struct profile_frame){
		.file = profil_die_file(die, DW_AT_call_file),
		.line = profil_die_number(die, DW_AT_call_line),
		.column = profil_die_number(die, DW_AT_call_column),
		.discriminator =
			profil_die_number(die, DW_AT_GNU_discriminator),
	};
}

/* Position of @address in the table of lines of @unit; false if it has none */
static bool read_line(Dwarf_Die *unit, uint64_t address,
		      struct profile_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0, column = 0;
	unsigned int discriminator = 0;
	const char *path;

	if (!line)
		return false;
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	dwarf_linediscriminator(line, &discriminator);
	path = dwarf_linesrc(line, NULL, NULL);
	frame->file = path ? path : "";
	frame->line = number;
	frame->column = column;
	frame->discriminator = discriminator;
	return true;
}

static void add_frame(struct search *search, struct profile_place *place,
		      const struct profile_frame *frame)
{
	uint32_t index = profil_profile_add_frame(search->profile, frame);

	if (!place->nr_frames++)
		place->frames = index;
}

/* Add @frame, the innermost one, and those of the calls of inlined functions. */
static void add_frames(struct search *search, struct profile_place *place,
		       uint32_t scope, struct profile_frame frame)
{
	while (scope && place->nr_frames < PROFILE_FRAMES - 1) {
		struct scope *inlined = &search->scopes.array[scope];
		uint32_t function;

		function = profil_source_functions_inlined(&search->functions,
							   &inlined->die);
		frame.function = function;
		add_frame(search, place, &frame);
		frame = call_of(&inlined->die);
		scope = inlined->parent;
	}
	frame.function = place->function;
	add_frame(search, place, &frame);
}

/* Index of the innermost scope at @address; 0 if nothing was inlined there */
static uint32_t find_scope(struct search *search, const Dwarf_Die *unit,
			   const struct profile_place *place, uint64_t address)
{
	Dwarf_Die entry;

	if (!profil_units_function(&search->units, unit, address, &entry))
		return 0;
	if (search->entry.addr != entry.addr) {
		profil_scopes_read(&search->scopes, &entry);
		search->entry = entry;
	}
	if (!*search->profile->functions[place->function].file)
		profil_source_functions_set(&search->functions, place->function,
					    &entry);
	return profil_scopes_find(&search->scopes, address);
}

/* The frames of @known, of which all but the last are in inlined functions */
static void copy_frames(struct search *search, struct profile_place *place,
			const struct profile *profile,
			const struct profile_place *known)
{
	struct source_functions *functions = &search->functions;

	for (uint32_t i = 0; i < known->nr_frames; i++) {
		struct profile_frame frame = profile->frames[known->frames + i];
		const struct profile_function *inlined =
			&profile->functions[frame.function];
		uint32_t index = place->function;

		if (i + 1 < known->nr_frames)
			index = profil_source_functions_known(functions,
							      inlined);
		frame.function = index;
		add_frame(search, place, &frame);
	}
}

static void copy_place(struct search *search, struct profile_place *place,
		       const struct profile *profile,
		       const struct profile_place *known)
{
	const struct profile_function *function =
		&profile->functions[known->function];

	if (!*search->profile->functions[place->function].file &&
	    *function->file)
		profil_source_functions_copy(&search->functions,
					     place->function, function);
	copy_frames(search, place, profile, known);
}

static void add_place(struct search *search, struct profile_place *place)
{
	uint64_t address = place->address + search->bias;
	struct profile_frame frame = { .file = "" };
	Dwarf_Die unit;
	uint32_t scope;
	bool has_line;

	if (!profil_units_find(&search->units, address, &unit))
		return;
	has_line = read_line(&unit, address, &frame);
	scope = find_scope(search, &unit, place, address);
	if (has_line || scope)
		add_frames(search, place, scope, frame);
}

/* Another program may have executed the same instruction. */
static bool is_same(const struct profile_place *one,
		    const struct profile_place *other)
{
	return one->address == other->address &&
	       one->function == other->function;
}

static void add_or_copy_place(struct search *search,
			      const struct known_object *object,
			      struct profile_place *place)
{
	const struct profile_place *known =
		profil_known_place(object, place->offset);

	search->is_cut |= !known && profil_interrupted();
	if (known)
		copy_place(search, place, object->profile, known);
	else if (!search->is_cut)
		add_place(search, place);
}

static bool add_places(struct search *search,
		       const struct resolve_places *places)
{
	struct profile_place *all = search->profile->places;
	bool any = false;

	for (uint32_t i = places->first; i < places->last; i++) {
		if (i > places->first && is_same(&all[i - 1], &all[i])) {
			all[i].frames = all[i - 1].frames;
			all[i].nr_frames = all[i - 1].nr_frames;
		} else {
			add_or_copy_place(search, places->known, &all[i]);
		}
		any |= all[i].nr_frames;
	}
	return any;
}

bool profil_source_lines_add(struct profile *profile,
			     const struct resolve_places *places,
			     struct symbols *symbols)
{
	struct search search = { .profile = profile };

	profil_source_functions_begin(&search.functions, profile,
				      places->object);
	profil_units_begin(&search.units, symbols, &search.bias);
	profile->objects[places->object].has_lines =
		add_places(&search, places);
	profil_scopes_free(&search.scopes);
	profil_source_functions_end(&search.functions);
	profil_units_end(&search.units);
	return !search.is_cut;
}
