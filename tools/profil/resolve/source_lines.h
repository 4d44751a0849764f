/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions, source lines and inlined calls of places */
#ifndef PROFIL_SOURCE_LINES_H
#define PROFIL_SOURCE_LINES_H

#include "resolve/resolve.h"

/*
 * Add the frames of all @places, which have their functions, by the DWARF
 * information of the file or of its separate file, and set the declarations of
 * the functions. False if an interrupt has ended the search.
 */
bool profil_source_lines_add(struct profile *profile,
			     const struct resolve_places *places,
			     struct symbols *symbols);

/* The function @index itself, or that of its name which has code of its own */
uint32_t profil_resolve_function(const struct resolve_names *names,
				 const struct profile *profile, uint32_t index);

void profil_resolve_names_free(struct resolve_names *names);

/*
 * Index of the function of @names that is @function, whose object is one of @profile. It
 * is added if it is new, and gets the declaration and the code of @function otherwise,
 * if it has none.
 */
uint32_t profil_resolve_adopt(struct profile *profile,
			      struct resolve_names *names,
			      const struct profile_function *function);

#endif
