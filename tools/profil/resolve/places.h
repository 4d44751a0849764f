/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of profil_resolve(): names of the places of one object */
#ifndef PROFIL_RESOLVE_PLACES_H
#define PROFIL_RESOLVE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/symbols.h"
#include "profile/profile.h"
#include "resolve/resolve.h"

/**
 * struct resolve_places - the places of one object
 * @object: index of the object
 * @first: index of its first place
 * @last: index after its last place
 * @names: functions that have been found
 */
struct resolve_places {
	uint32_t object;
	uint32_t first;
	uint32_t last;
	struct resolve_names *names;
};

/*
 * Read the file of @places, look up its functions and source lines, and set its
 * segments, build ID and other attributes. NULL for @origin: the file is the one
 * that was profiled. The file is not read after an interrupt.
 */
void profil_resolve_file(struct profile *profile,
			 const struct resolve_places *places,
			 const struct resolve_origin *origin);

/*
 * The same by the open @symbols. Places of an object with segments keep their
 * addresses if @has_addresses. NULL for @symbols: places have no names.
 */
void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols, bool has_addresses);

/*
 * Set the source lines, segments and build ID of @places, which have functions, and
 * the code of these, by the open @symbols.
 */
void profil_resolve_lines(struct profile *profile,
			  const struct resolve_places *places,
			  struct symbols *symbols);

/* The addresses of @object are known: it has segments. */
bool profil_resolve_has_segments(const struct profile *profile,
				 uint32_t object);

/*
 * Look up the functions of code that the process of @origin, or an unknown process,
 * NULL, has generated: of the places of @object with the indices @at, ascending by
 * offset. A place that has no name
 * yet is in the function "[jit: PROGRAM]".
 */
void profil_resolve_jit(struct profile *profile, struct resolve_names *names,
			uint32_t object, const struct resolve_origin *origin,
			const uint32_t *at, size_t nr);

/*
 * Add the frames of all @places, which have their functions, by the DWARF
 * information of the file or of its separate file, and set the declarations of
 * the functions. False if an interrupt has ended the search.
 */
bool profil_source_lines_add(struct profile *profile,
			     const struct resolve_places *places,
			     struct symbols *symbols);

/* Store the code of all hot functions that @profile lacks; @origins as of profil_resolve() */
void profil_resolve_code(struct profile *profile,
			 const struct resolve_origin *origins);

#endif
