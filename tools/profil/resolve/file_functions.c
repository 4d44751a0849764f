// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a file, by its symbols
 *
 * Code without a symbol belongs to the function that the unwind table has for
 * it. In a file that cannot be read each offset is a function.
 */
#include <stdlib.h>

#include "elf/function_name.h"
#include "resolve/file_functions.h"

/* End of the code of a function without symbol that has @address */
static uint64_t end_of(const struct boundaries *boundaries, uint64_t address)
{
	size_t i = profil_boundaries_find(boundaries, address) + 1;

	for (; i < boundaries->nr; i++) {
		const struct boundary *boundary = &boundaries->array[i];

		if (boundary->begins || boundary->symbol || !boundary->code)
			return boundary->address;
	}
	return address;
}

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
	boundaries = profil_symbols_boundaries(functions->symbols);
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
		function.size = end_of(boundaries, address) - function.address;
	}
	return function;
}

/* The function of @known, without its code and declaration */
static struct profile_function known_function(const struct profile *known,
					      uint32_t index)
{
	struct profile_function function = known->functions[index];

	function.file = "";
	function.line = 0;
	function.code = NULL;
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
	char *name = NULL;
	uint32_t index;

	if (!function->name)
		name = name_of(functions, address, function);
	function->object = functions->object;
	function->name = name ? name : function->name;
	function->file = "";
	index = profil_profile_add_function(functions->profile, function);
	free(name);
	return index;
}

static uint64_t link_address(const struct file_functions *functions,
			     uint64_t offset)
{
	const struct boundaries *boundaries;
	uint64_t address = offset;

	if (!functions->symbols)
		return offset;
	boundaries = profil_symbols_boundaries(functions->symbols);
	profil_boundaries_link_address(boundaries, offset, &address);
	return address;
}

void profil_file_functions_set(struct file_functions *functions,
			       struct profile_place *place)
{
	const struct profile_place *known =
		profil_known_place(functions->known, place->offset);
	struct profile_function function;
	struct index_key key;

	if (known)
		place->address = known->address;
	else if (!functions->has_addresses)
		place->address = link_address(functions, place->offset);
	function = known ? known_function(functions->known->profile,
					  known->function) :
			   function_at(functions, place->address);
	key = (struct index_key){ { function.address, function.size } };
	place->function = profil_index_map_find(&functions->added, key);
	if (place->function != INDEX_NONE)
		return;
	place->function = add(functions, place->address, &function);
	profil_index_map_set(&functions->added, key, place->function);
}

void profil_file_functions_free(struct file_functions *functions)
{
	profil_index_map_free(&functions->added);
}
