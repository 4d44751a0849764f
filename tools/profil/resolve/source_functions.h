/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of a profile, by their DWARF entries */
#ifndef PROFIL_SOURCE_FUNCTIONS_H
#define PROFIL_SOURCE_FUNCTIONS_H

#include <stdint.h>

#include <elfutils/libdw.h>

#include "profile/profile.h"
#include "util/index_map.h"

/**
 * struct source_functions - functions of an object that have entries
 * @profile: the profile
 * @object: index of the object
 * @first_frame: index of the object's first frame
 * @inlined: entries of inlined functions
 * @nr_inlined: elements of @inlined
 * @by_entry: indices in @inlined by the entry
 * @by_name: indices of functions by symbol, source file and line: a function has
 *	an entry in each unit that contains it
 */
struct source_functions {
	struct profile *profile;
	uint32_t object;
	uint32_t first_frame;
	Dwarf_Die *inlined;
	uint32_t nr_inlined;
	struct index_map by_entry;
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

/*
 * Preliminary index, for a frame, of the function that was inlined as @die. All
 * functions with code of their own have to be known before it can be told
 * whether the function is one of them.
 */
uint32_t profil_source_functions_inlined(struct source_functions *functions,
					 const Dwarf_Die *die);

/* Add the inlined functions, and replace the preliminary indices in frames. */
void profil_source_functions_end(struct source_functions *functions);

#endif
