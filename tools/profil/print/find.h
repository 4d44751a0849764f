/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of a profile by name */
#ifndef PROFIL_PRINT_FIND_H
#define PROFIL_PRINT_FIND_H

#include <regex.h>

#include "profile/profile.h"

/*
 * The functions with a weight whose name or symbol is @name or, if there are none, contains
 * it; NULL: all. @object is a pattern for paths of objects, or NULL. The heaviest are first.
 * Indices, to be freed, and their number @nr
 */
uint32_t *profil_functions_find(const struct profile *profile,
				const double *weights, const char *name,
				const regex_t *object, uint32_t *nr);

/* Print that these functions match, too, some of them by name; nothing if there are none. */
void profil_functions_print_others(FILE *out, const struct profile *profile,
				   const uint32_t *functions, uint32_t nr);

#endif
