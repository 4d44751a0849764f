/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of a file, by its symbols */
#ifndef PROFIL_FILE_FUNCTIONS_H
#define PROFIL_FILE_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/symbols.h"
#include "profile/profile.h"
#include "resolve/known.h"
#include "util/index_map.h"

/**
 * struct file_functions - functions of a file that have been added to a profile
 * @profile: the profile
 * @object: index of the file
 * @symbols: its symbols, or NULL: only known functions have names
 * @known: the file in an earlier snapshot, or NULL
 * @has_addresses: the places have link-time addresses, which are kept
 * @added: indices of the functions by their addresses
 */
struct file_functions {
	struct profile *profile;
	uint32_t object;
	const struct symbols *symbols;
	const struct known_object *known;
	bool has_addresses;
	struct index_map added;
};

/*
 * Set address and function of @place, which is in the file. The function is
 * added to the profile when the first of its places is set.
 */
void profil_file_functions_set(struct file_functions *functions,
			       struct profile_place *place);
void profil_file_functions_free(struct file_functions *functions);

#endif
