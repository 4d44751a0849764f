// SPDX-License-Identifier: GPL-2.0-only
/* Source lines and inlined functions of places */
#include <dwarf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "elf/function_name.h"
#include "resolve/places.h"
#include "resolve/units.h"
#include "util/index_map.h"
#include "util/interrupt.h"
#include "util/memory.h"

/*
 * Source files in DWARF entries
 *
 * dwarf_decl_file() of elfutils 0.188 aborts in a split unit without a table of
 * files; here the table is read with its error.
 */

/**
 * struct declaration - a line of a source file
 * @file: path of the file, or ""
 * @line: line, or 0
 */
struct declaration {
	const char *file;
	uint32_t line;
};

/* Number in the attribute @name of @die itself, or 0 */
static unsigned int die_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word = 0;

	if (!dwarf_attr(die, name, &attribute) ||
	    dwarf_formudata(&attribute, &word))
		return 0;
	return word;
}

/*
 * Path of the source file whose number is in the attribute @name of @die itself,
 * or "". It is valid as long as the DWARF information.
 */
static const char *die_file(Dwarf_Die *die, unsigned int name)
{
	uint32_t index = die_number(die, name);
	const char *path = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Die unit;
	size_t nr;

	if (dwarf_attr(die, name, &attribute) &&
	    dwarf_diecu(die, &unit, NULL, NULL) &&
	    !dwarf_getsrcfiles(&unit, &files, &nr) && index < nr)
		path = dwarf_filesrc(files, index, NULL, NULL);
	return path ? path : "";
}

/* Functions of a profile, by their DWARF entries */

/**
 * struct source_origin - where an inlined function is declared
 * @die: its entry
 * @known: the function in an earlier snapshot, or NULL; @die is of no use then
 */
struct source_origin {
	Dwarf_Die die;
	const struct profile_function *known;
};

/**
 * struct source_functions - functions of an object that have entries
 * @profile: the profile
 * @object: index of the object
 * @first_frame: index of the object's first frame
 * @inlined: inlined functions
 * @nr_inlined: elements of @inlined
 * @by_origin: indices in @inlined by the address of the entry, or of the
 *	function of an earlier snapshot
 * @by_name: indices of functions by symbol, source file and line: a function has
 *	an entry in each unit that contains it
 */
struct source_functions {
	struct profile *profile;
	uint32_t object;
	uint32_t first_frame;
	struct source_origin *inlined;
	uint32_t nr_inlined;
	struct index_map by_origin;
	struct index_map by_name;
};

/* Steps from an instance of a function to the function */
#define MAX_STEPS 16

static const char *string_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	const char *string =
		dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));

	return string ? string : "";
}

static const char *symbol_of(Dwarf_Die *die)
{
	const char *symbol = string_of(die, DW_AT_linkage_name);

	if (!*symbol)
		symbol = string_of(die, DW_AT_MIPS_linkage_name);
	return *symbol ? symbol : string_of(die, DW_AT_name);
}

/* Store the entry that @die refers to by the attribute @name. */
static bool follow(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die next;

	if (!dwarf_attr(die, name, &attribute) ||
	    !dwarf_formref_die(&attribute, &next))
		return false;
	*die = next;
	return true;
}

/* Entry of the function itself; @die is one of its instances. */
static Dwarf_Die origin_of(const Dwarf_Die *die)
{
	Dwarf_Die origin = *die;
	int steps = 0;

	while (steps++ < MAX_STEPS && follow(&origin, DW_AT_abstract_origin))
		;
	return origin;
}

/*
 * Position of the definition, if @origin has it, or else of the declaration,
 * as in a class
 */
static struct declaration declaration_of(Dwarf_Die origin)
{
	int steps = 0;

	while (!die_number(&origin, DW_AT_decl_line) && steps++ < MAX_STEPS &&
	       follow(&origin, DW_AT_specification))
		;
	return (struct declaration){
		die_file(&origin, DW_AT_decl_file),
		die_number(&origin, DW_AT_decl_line),
	};
}

/* @symbol, file and line of @profile's function */
static struct index_key key_of(const char *symbol, const char *file,
			       uint32_t line)
{
	return (struct index_key){ { (uintptr_t)symbol, (uintptr_t)file,
				     line } };
}

static void set(struct source_functions *functions, uint32_t index,
		const struct declaration *declaration)
{
	struct profile *profile = functions->profile;
	struct profile_function *function = &profile->functions[index];
	struct index_key key;

	function->file = profil_profile_string(profile, declaration->file);
	function->line = declaration->line;
	key = key_of(function->symbol, function->file, function->line);
	if (profil_index_map_find(&functions->by_name, key) == INDEX_NONE)
		profil_index_map_set(&functions->by_name, key, index);
}

/*
 * Set the declaration of the function @index, which has code of its own, by its
 * entry @die.
 */
static void source_functions_set(struct source_functions *functions,
				 uint32_t index, Dwarf_Die *die)
{
	struct declaration declaration = declaration_of(origin_of(die));

	set(functions, index, &declaration);
}

/* The same by the function in an earlier snapshot */
static void source_functions_copy(struct source_functions *functions,
				  uint32_t index,
				  const struct profile_function *known)
{
	struct declaration declaration = { known->file, known->line };

	set(functions, index, &declaration);
}

static struct declaration position_of(const struct source_origin *origin)
{
	const struct profile_function *known = origin->known;

	return known ? (struct declaration){ known->file, known->line } :
		       declaration_of(origin->die);
}

static uint32_t add_inlined(struct source_functions *functions,
			    struct source_origin *origin)
{
	struct profile *profile = functions->profile;
	struct declaration declaration = position_of(origin);
	const char *symbol = origin->known ? origin->known->symbol :
					     symbol_of(&origin->die);
	struct profile_function function = {
		.object = functions->object,
		.symbol = profil_profile_string(profile, symbol),
		.file = profil_profile_string(profile, declaration.file),
		.line = declaration.line,
		.is_inlined = true,
	};
	struct index_key key =
		key_of(function.symbol, function.file, function.line);
	uint32_t index = profil_index_map_find(&functions->by_name, key);
	char *name;

	if (index != INDEX_NONE)
		return index;
	name = profil_demangle(function.symbol);
	function.name = name;
	index = profil_profile_add_function(profile, &function);
	free(name);
	profil_index_map_set(&functions->by_name, key, index);
	return index;
}

static void source_functions_begin(struct source_functions *functions,
				   struct profile *profile, uint32_t object)
{
	*functions = (struct source_functions){
		.profile = profile,
		.object = object,
		.first_frame = profile->nr_frames,
	};
}

/* Index of @origin, at @address, in the inlined functions */
static uint32_t inlined_index(struct source_functions *functions,
			      const void *address,
			      const struct source_origin *origin)
{
	struct index_key key = { { (uintptr_t)address } };
	uint32_t index = profil_index_map_find(&functions->by_origin, key);

	if (index == INDEX_NONE) {
		index = functions->nr_inlined;
		ARRAY_ADD(functions->inlined, functions->nr_inlined, *origin);
		profil_index_map_set(&functions->by_origin, key, index);
	}
	return index;
}

/*
 * Index in the inlined functions, for a frame until source_functions_end(), of the
 * function that was inlined as @die. All functions with code of their own have to be
 * known before it can be told whether the function is one of them.
 */
static uint32_t source_functions_inlined(struct source_functions *functions,
					 const Dwarf_Die *die)
{
	struct source_origin origin = { .die = origin_of(die) };

	return inlined_index(functions, origin.die.addr, &origin);
}

/* The same for a function that was inlined in an earlier snapshot */
static uint32_t source_functions_known(struct source_functions *functions,
				       const struct profile_function *known)
{
	struct source_origin origin = { .known = known };

	return inlined_index(functions, known, &origin);
}

/*
 * Replace indices in the inlined functions by @indices: those of all frames of a place
 * but the last. Places of the same instruction share their frames.
 */
static void replace(struct source_functions *functions,
		    const struct resolve_places *places,
		    const uint32_t *indices)
{
	struct profile *profile = functions->profile;
	uint32_t end = functions->first_frame;

	for (uint32_t i = places->first; i < places->last; i++) {
		const struct profile_place *place = &profile->places[i];

		if (!place->nr_frames || place->frames < end)
			continue;
		end = place->frames + place->nr_frames;
		for (uint32_t j = place->frames; j < end - 1; j++)
			profile->frames[j].function =
				indices[profile->frames[j].function];
	}
}

/* Add the inlined functions, and set their indices in the frames of @places. */
static void source_functions_end(struct source_functions *functions,
				 const struct resolve_places *places)
{
	uint32_t *indices =
		profil_grow(NULL, functions->nr_inlined + 1, sizeof(*indices));

	for (uint32_t i = 0; i < functions->nr_inlined; i++)
		indices[i] = add_inlined(functions, &functions->inlined[i]);
	replace(functions, places, indices);
	free(indices);
	free(functions->inlined);
	profil_index_map_free(&functions->by_origin);
	profil_index_map_free(&functions->by_name);
}

/* Source lines and inlined functions of places */

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
		.file = die_file(die, DW_AT_call_file),
		.line = die_number(die, DW_AT_call_line),
		.column = die_number(die, DW_AT_call_column),
		.discriminator = die_number(die, DW_AT_GNU_discriminator),
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

		function = source_functions_inlined(&search->functions,
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
		source_functions_set(&search->functions, place->function,
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
			index = source_functions_known(functions, inlined);
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
		source_functions_copy(&search->functions, place->function,
				      function);
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

	source_functions_begin(&search.functions, profile, places->object);
	profil_units_begin(&search.units, symbols, &search.bias);
	profile->objects[places->object].has_lines =
		add_places(&search, places);
	profil_scopes_free(&search.scopes);
	source_functions_end(&search.functions, places);
	profil_units_end(&search.units);
	return !search.is_cut;
}
