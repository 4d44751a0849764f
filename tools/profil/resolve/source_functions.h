/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of a profile, by their DWARF entries */
#ifndef PROFIL_SOURCE_FUNCTIONS_H
#define PROFIL_SOURCE_FUNCTIONS_H

#include <stdint.h>

#include <elfutils/libdw.h>

#include "profile/profile.h"
#include "util/index_map.h"

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

void profil_source_functions_begin(struct source_functions *functions,
				   struct profile *profile, uint32_t object);

/*
 * Set the declaration of the function @index, which has code of its own, by its
 * entry @die.
 */
void profil_source_functions_set(struct source_functions *functions,
				 uint32_t index, Dwarf_Die *die);

/* The same by the function in an earlier snapshot */
void profil_source_functions_copy(struct source_functions *functions,
				  uint32_t index,
				  const struct profile_function *known);

/*
 * Preliminary index, for a frame, of the function that was inlined as @die. All
 * functions with code of their own have to be known before it can be told
 * whether the function is one of them.
 */
uint32_t profil_source_functions_inlined(struct source_functions *functions,
					 const Dwarf_Die *die);

/* The same for a function that was inlined in an earlier snapshot */
uint32_t profil_source_functions_known(struct source_functions *functions,
				       const struct profile_function *known);

/* Add the inlined functions, and replace the preliminary indices in frames. */
void profil_source_functions_end(struct source_functions *functions);

#endif
