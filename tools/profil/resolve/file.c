// SPDX-License-Identifier: GPL-2.0-only
/* Names of the code in a file */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct profile_function of_symbol(const struct symbol *symbol)
{
	return (struct profile_function){
		.symbol = symbol->name,
		.address = symbol->address,
		.size = symbol->end - symbol->address,
		.is_local = symbol->binding == 0,
	};
}

/* A procedure linkage table, around boundary @at, is one function. */
static struct profile_function of_plt(const struct boundaries *boundaries,
				      size_t at, uint64_t address)
{
	size_t first = at, end = at + 1;
	uint64_t start;

	while (first && !boundaries->array[first].bounds)
		first--;
	while (end < boundaries->nr && !boundaries->array[end].bounds)
		end++;
	start = boundaries->array[first].address;
	if (end < boundaries->nr)
		address = boundaries->array[end].address;
	return (struct profile_function){
		.symbol = "",
		.name = "[plt]",
		.address = start,
		.size = address - start,
	};
}

/* Function at @address of the file; with a name only if that is not its symbol */
static struct profile_function function_at(const struct symbols *symbols,
					   uint64_t address)
{
	struct profile_function function = { .symbol = "", .address = address };
	const struct boundaries *boundaries;
	size_t at;

	if (!symbols)
		return function;
	boundaries = &symbols->boundaries;
	at = profil_boundaries_find(boundaries, address);
	if (boundaries->array[at].symbol)
		return of_symbol(boundaries->array[at].symbol);
	if (boundaries->array[at].plt)
		return of_plt(boundaries, at, address);
	function.address = profil_boundaries_start(boundaries, address);
	function.size =
		profil_boundaries_end(boundaries, address) - function.address;
	return function;
}

static uint32_t add(struct profile *profile, uint32_t object,
		    struct profile_function *function)
{
	struct location location = {
		*function->symbol ? function->symbol : function->name,
		function->address,
	};
	char *name =
		profil_function_name(profile->objects[object].path, &location);
	uint32_t index;

	function->object = object;
	function->name = name;
	function->file = "";
	index = profil_profile_add_function(profile, function);
	free(name);
	return index;
}

/* Index of the function at @address, which is added for the first of its places */
static uint32_t find_function(struct profile *profile,
			      const struct resolve_places *places,
			      const struct symbols *symbols, uint64_t address)
{
	struct profile_function function = function_at(symbols, address);
	struct index_map *found = &places->names->functions;
	struct index_key key = { { places->object, function.address,
				   function.size } };
	uint32_t index = profil_index_map_find(found, key);

	if (index != INDEX_NONE)
		return index;
	index = add(profile, places->object, &function);
	profil_index_map_set(found, key, index);
	return index;
}

/* @has_addresses: the places have link-time addresses, which are kept. */
static void set_functions(struct profile *profile,
			  const struct resolve_places *places,
			  const struct symbols *symbols, bool has_addresses)
{
	for (uint32_t i = places->first; i < places->last; i++) {
		struct profile_place *place = &profile->places[i];

		if (!has_addresses)
			place->address = place->offset;
		if (!has_addresses && symbols)
			place->address = profil_boundaries_link_address(
				&symbols->boundaries, place->offset);
		place->function =
			find_function(profile, places, symbols, place->address);
	}
}

bool profil_resolve_has_segments(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == object)
			return true;
	return false;
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

static void set_attributes(struct profile *profile, uint32_t index,
			   const struct symbols *symbols)
{
	struct profile_object *object = &profile->objects[index];
	GElf_Ehdr header;

	if (!symbols || !symbols->elf)
		return;
	if (gelf_getehdr(symbols->elf, &header))
		object->is_relocatable = header.e_type == ET_DYN;
	if (!object->build_id_size)
		object->build_id_size =
			profil_build_id(symbols->elf, object->build_id);
	if (!profil_resolve_has_segments(profile, index))
		add_segments(profile, index, &symbols->boundaries);
}

void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols, bool has_addresses)
{
	struct profile_object *object = &profile->objects[places->object];

	object->names = symbols ? symbols->names : PROFILE_NAMES_SKIPPED;
	set_functions(profile, places, symbols, has_addresses);
	set_attributes(profile, places->object, symbols);
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
	set_attributes(profile, places->object, symbols);
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
