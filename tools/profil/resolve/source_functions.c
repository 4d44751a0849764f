// SPDX-License-Identifier: GPL-2.0-only
/* Functions of a profile, by their DWARF entries */
#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "elf/function_name.h"
#include "resolve/source_file.h"
#include "resolve/source_functions.h"
#include "util/memory.h"

/* Mark of a preliminary index: a profile has fewer functions. */
#define PRELIMINARY 0x80000000U

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
static struct source_position declaration_of(Dwarf_Die origin)
{
	int steps = 0;

	while (!profil_die_number(&origin, DW_AT_decl_line) &&
	       steps++ < MAX_STEPS && follow(&origin, DW_AT_specification))
		;
	return (struct source_position){
		profil_die_file(&origin, DW_AT_decl_file),
		profil_die_number(&origin, DW_AT_decl_line),
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
		const struct source_position *declaration)
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

void profil_source_functions_set(struct source_functions *functions,
				 uint32_t index, Dwarf_Die *die)
{
	struct source_position declaration = declaration_of(origin_of(die));

	set(functions, index, &declaration);
}

void profil_source_functions_copy(struct source_functions *functions,
				  uint32_t index,
				  const struct profile_function *known)
{
	struct source_position declaration = { known->file, known->line };

	set(functions, index, &declaration);
}

static struct source_position position_of(const struct source_origin *origin)
{
	const struct profile_function *known = origin->known;

	return known ? (struct source_position){ known->file, known->line } :
		       declaration_of(origin->die);
}

static uint32_t add(struct source_functions *functions,
		    struct source_origin *origin)
{
	struct profile *profile = functions->profile;
	struct source_position declaration = position_of(origin);
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

void profil_source_functions_begin(struct source_functions *functions,
				   struct profile *profile, uint32_t object)
{
	*functions = (struct source_functions){
		.profile = profile,
		.object = object,
		.first_frame = profile->nr_frames,
	};
}

static uint32_t preliminary_index(struct source_functions *functions,
				  const void *address,
				  const struct source_origin *origin)
{
	struct index_key key = { { (uintptr_t)address } };
	uint32_t index = profil_index_map_find(&functions->by_origin, key);

	if (index == INDEX_NONE) {
		index = functions->nr_inlined++;
		functions->inlined = profil_grow(functions->inlined,
						 functions->nr_inlined,
						 sizeof(*origin));
		functions->inlined[index] = *origin;
		profil_index_map_set(&functions->by_origin, key, index);
	}
	return PRELIMINARY | index;
}

uint32_t profil_source_functions_inlined(struct source_functions *functions,
					 const Dwarf_Die *die)
{
	struct source_origin origin = { .die = origin_of(die) };

	return preliminary_index(functions, origin.die.addr, &origin);
}

uint32_t profil_source_functions_known(struct source_functions *functions,
				       const struct profile_function *known)
{
	struct source_origin origin = { .known = known };

	return preliminary_index(functions, known, &origin);
}

static void replace(struct source_functions *functions, const uint32_t *indices)
{
	struct profile *profile = functions->profile;

	for (uint32_t i = functions->first_frame; i < profile->nr_frames; i++) {
		uint32_t *index = &profile->frames[i].function;

		if (*index & PRELIMINARY)
			*index = indices[*index & ~PRELIMINARY];
	}
}

void profil_source_functions_end(struct source_functions *functions)
{
	uint32_t *indices =
		profil_grow(NULL, functions->nr_inlined + 1, sizeof(*indices));

	for (uint32_t i = 0; i < functions->nr_inlined; i++)
		indices[i] = add(functions, &functions->inlined[i]);
	replace(functions, indices);
	free(indices);
	free(functions->inlined);
	profil_index_map_free(&functions->by_origin);
	profil_index_map_free(&functions->by_name);
}
