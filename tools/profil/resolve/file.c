// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a file */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwelf.h>

#include "elf/symbols.h"
#include "resolve/places.h"
#include "util/index_map.h"
#include "util/interrupt.h"
#include "util/memory.h"
#include "util/regular_file.h"

/*
 * Functions of a file, by its symbols
 *
 * Code without a symbol belongs to the function that the unwind table has for
 * it. In a file that cannot be read each offset is a function.
 */

/**
 * struct file_functions - functions of a file that are added to a profile
 * @profile: the profile
 * @names: functions that have been found
 * @object: index of the file
 * @symbols: its symbols, or NULL: functions have no names
 * @has_addresses: the places have link-time addresses, which are kept
 */
struct file_functions {
	struct profile *profile;
	struct resolve_names *names;
	uint32_t object;
	const struct symbols *symbols;
	bool has_addresses;
};

/* A procedure linkage table is one function. */
static uint64_t start_of_plt(const struct boundaries *boundaries,
			     uint64_t address)
{
	size_t i = profil_boundaries_find(boundaries, address);

	while (i && !boundaries->array[i].bounds)
		i--;
	return boundaries->array[i].address;
}

static uint64_t end_of_plt(const struct boundaries *boundaries,
			   uint64_t address)
{
	size_t i = profil_boundaries_find(boundaries, address) + 1;

	while (i < boundaries->nr && !boundaries->array[i].bounds)
		i++;
	return i < boundaries->nr ? boundaries->array[i].address : address;
}

static struct profile_function of_symbol(const struct symbol *symbol)
{
	return (struct profile_function){
		.symbol = symbol->name,
		.address = symbol->address,
		.size = symbol->end - symbol->address,
		.is_local = symbol->binding == 0,
	};
}

/* Function at @address of the file, without its printable name */
static struct profile_function
function_at(const struct file_functions *functions, uint64_t address)
{
	const struct boundaries *boundaries;
	const struct boundary *boundary;
	struct profile_function function = { .symbol = "", .address = address };

	if (!functions->symbols)
		return function;
	boundaries = &functions->symbols->boundaries;
	boundary =
		&boundaries->array[profil_boundaries_find(boundaries, address)];
	if (boundary->symbol)
		return of_symbol(boundary->symbol);
	if (boundary->plt) {
		function.address = start_of_plt(boundaries, address);
		function.size =
			end_of_plt(boundaries, address) - function.address;
	} else {
		function.address =
			profil_symbols_at_address(functions->symbols, address)
				.address;
		function.size = profil_boundaries_end(boundaries, address) -
				function.address;
	}
	return function;
}

/* Printable name of @function at @address, to be freed */
static char *name_of(const struct file_functions *functions, uint64_t address,
		     const struct profile_function *function)
{
	const char *path = functions->profile->objects[functions->object].path;
	struct location location = { .address = function->address };

	if (functions->symbols)
		location =
			profil_symbols_at_address(functions->symbols, address);
	return profil_function_name(path, &location);
}

static uint32_t add(struct file_functions *functions, uint64_t address,
		    struct profile_function *function)
{
	char *name = name_of(functions, address, function);
	uint32_t index;

	function->object = functions->object;
	function->name = name;
	function->file = "";
	index = profil_profile_add_function(functions->profile, function);
	free(name);
	return index;
}

/*
 * Set address and function of @place, which is in the file. The function is
 * added to the profile when the first of its places is set.
 */
static void file_functions_set(struct file_functions *functions,
			       struct profile_place *place)
{
	struct index_map *found = &functions->names->functions;
	struct profile_function function;
	struct index_key key;

	if (!functions->has_addresses && functions->symbols)
		place->address = profil_boundaries_link_address(
			&functions->symbols->boundaries, place->offset);
	else if (!functions->has_addresses)
		place->address = place->offset;
	function = function_at(functions, place->address);
	key = (struct index_key){ { functions->object, function.address,
				    function.size } };
	place->function = profil_index_map_find(found, key);
	if (place->function != INDEX_NONE)
		return;
	place->function = add(functions, place->address, &function);
	profil_index_map_set(found, key, place->function);
}

bool profil_resolve_has_segments(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == object)
			return true;
	return false;
}

static void set_functions(struct profile *profile,
			  const struct resolve_places *places,
			  const struct symbols *symbols, bool has_addresses)
{
	struct file_functions functions = {
		.profile = profile,
		.names = places->names,
		.object = places->object,
		.symbols = symbols,
		.has_addresses = has_addresses,
	};

	for (uint32_t i = places->first; i < places->last; i++)
		file_functions_set(&functions, &profile->places[i]);
}

static void set_build_id(struct profile_object *object, Elf *elf)
{
	const void *id;
	ssize_t size;

	if (object->build_id_size)
		return;
	size = dwelf_elf_gnu_build_id(elf, &id);
	if (size <= 0)
		return;
	if (size > PROFILE_BUILD_ID)
		size = PROFILE_BUILD_ID;
	memcpy(object->build_id, id, size);
	object->build_id_size = size;
}

static void add_segments(struct profile *profile, uint32_t object,
			 const struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *load = &boundaries->loads[i];
		struct profile_segment segment = {
			.object = object,
			.offset = load->p_offset,
			.address = load->p_vaddr,
			.size = load->p_filesz,
		};

		if (load->p_flags & PF_X)
			profil_profile_add_segment(profile, &segment);
	}
}

static void read_attributes(struct profile *profile, uint32_t index,
			    const struct symbols *symbols)
{
	struct profile_object *object = &profile->objects[index];
	Elf *elf = symbols->elf;
	GElf_Ehdr header;

	if (gelf_getehdr(elf, &header))
		object->is_relocatable = header.e_type == ET_DYN;
	set_build_id(object, elf);
	if (!profil_resolve_has_segments(profile, index))
		add_segments(profile, index, &symbols->boundaries);
}

static void set_attributes(struct profile *profile,
			   const struct resolve_places *places,
			   const struct symbols *symbols)
{
	if (symbols && symbols->elf)
		read_attributes(profile, places->object, symbols);
}

void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols, bool has_addresses)
{
	struct profile_object *object = &profile->objects[places->object];

	object->names = symbols ? symbols->names : PROFILE_NAMES_SKIPPED;
	set_functions(profile, places, symbols, has_addresses);
	set_attributes(profile, places, symbols);
	if (!profil_source_lines_add(profile, places, symbols))
		object->names = PROFILE_NAMES_SKIPPED;
}

/* Store the code of hot functions of @object. */
static void add_code(struct profile *profile, uint32_t object, Elf *elf)
{
	uint32_t nr, first = 0;
	struct hot_code *hot = profil_code_bytes_missing(profile, &nr);

	while (first < nr && hot[first].object != object)
		first++;
	if (elf)
		profil_code_bytes_add(profile, hot + first, nr - first, elf);
	free(hot);
}

void profil_resolve_lines(struct profile *profile,
			  const struct resolve_places *places,
			  struct symbols *symbols)
{
	set_attributes(profile, places, symbols);
	if (!profil_source_lines_add(profile, places, symbols))
		profile->objects[places->object].names = PROFILE_NAMES_SKIPPED;
	add_code(profile, places->object, symbols->elf);
}

typedef struct symbols *(*open_fn)(const char *path,
				   const struct file_identity *then);

/*
 * The file in the root directory, or NULL. If @is_placed, it is only opened if it is
 * the inode that was profiled.
 */
static struct symbols *open_inside(const char *path,
				   const struct resolve_root *root,
				   const struct file_identity *then,
				   open_fn open, bool is_placed)
{
	struct symbols *symbols = NULL;
	char *inside;

	if (!*root->path || *path != '/')
		return NULL;
	if (asprintf(&inside, "%s%s", root->path, path) < 0)
		profil_memory_exhausted();
	if (!is_placed || profil_same_place(then, inside))
		symbols = open(inside, then);
	free(inside);
	if (!symbols || symbols->names == PROFILE_NAMES_READ)
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *search_roots(const char *path,
				    const struct resolve_origin *origin,
				    open_fn open, bool is_placed)
{
	struct symbols *symbols = NULL;

	for (size_t i = 0; !symbols && i < origin->nr_roots; i++)
		symbols = open_inside(path, &origin->roots[i],
				      &origin->identity, open, is_placed);
	return symbols;
}

/*
 * The file in the root directory where its inode is the one that was profiled. Other
 * programs may have a file of the same path and build ID, which is taken if the
 * inode is nowhere; or else one with this path.
 */
static struct symbols *
open_file(const char *path, const struct resolve_origin *origin, open_fn open)
{
	struct symbols *symbols;

	if (!origin)
		return open(path, NULL);
	symbols = search_roots(path, origin, open, true);
	if (!symbols && !profil_same_place(&origin->identity, path))
		symbols = search_roots(path, origin, open, false);
	return symbols ? symbols : open(path, &origin->identity);
}

void profil_resolve_file(struct profile *profile,
			 const struct resolve_places *places,
			 const struct resolve_origin *origin)
{
	const char *path = profile->objects[places->object].path;
	struct symbols *symbols = NULL;

	if (!profil_interrupted())
		symbols = open_file(path, origin, profil_symbols_open);
	profil_resolve_symbols(profile, places, symbols, false);
	if (symbols)
		profil_symbols_close(symbols);
}

/* The file was read without its symbols: it may be another one by now. */
void profil_resolve_code(struct profile *profile,
			 const struct resolve_origin *origins)
{
	uint32_t nr, last = INDEX_NONE;
	struct hot_code *hot = profil_code_bytes_missing(profile, &nr);

	for (uint32_t i = 0; i < nr && !profil_interrupted(); i++) {
		uint32_t object = hot[i].object;
		struct symbols *symbols;

		if (object == last)
			continue;
		last = object;
		symbols = open_file(profile->objects[object].path,
				    origins ? &origins[object] : NULL,
				    profil_symbols_open_plain);
		if (symbols->elf)
			profil_code_bytes_add(profile, hot + i, nr - i,
					      symbols->elf);
		profil_symbols_close(symbols);
	}
	free(hot);
}
