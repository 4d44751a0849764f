/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of profil_resolve(): names of the places of one object */
#ifndef PROFIL_RESOLVE_PLACES_H
#define PROFIL_RESOLVE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/symbols.h"
#include "profile/profile.h"
#include "resolve/known.h"
#include "resolve/resolve.h"

/**
 * struct resolve_places - the places of one object
 * @object: index of the object
 * @first: index of its first place
 * @last: index after its last place
 * @known: the object in an earlier snapshot, or NULL
 */
struct resolve_places {
	uint32_t object;
	uint32_t first;
	uint32_t last;
	const struct known_object *known;
};

/*
 * Read the file of @places, look up its functions and source lines, and set its
 * segments, build ID and other attributes. NULL for @origin: the file is the one
 * that was profiled. Known places are copied; the file is not read for them, nor
 * after an interrupt.
 */
void profil_resolve_file(struct profile *profile,
			 const struct resolve_places *places,
			 const struct resolve_origin *origin);

/*
 * The same by the open @symbols, without the code of functions. Places of an
 * object with segments keep their addresses. NULL for @symbols: places that are
 * not known have no names.
 */
void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols);

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
 * NULL, has generated. A place without a name is in the function "[jit: PROGRAM]".
 */
void profil_resolve_jit(struct profile *profile,
			const struct resolve_places *places,
			const struct resolve_origin *origin);

/*
 * Add the frames of all @places, which have their functions, by the DWARF
 * information of the file or of its separate file, and set the declarations of
 * the functions. Frames of known places are copied, and NULL for @symbols has no
 * others. False if an interrupt has ended the search.
 */
bool profil_source_lines_add(struct profile *profile,
			     const struct resolve_places *places,
			     struct symbols *symbols);

/*
 * Store the machine code of the functions of @places that have a considerable
 * share of the samples, from the file @elf unless it is known. False if a part is
 * missing since @elf is NULL; a second call with the file completes the code.
 */
bool profil_code_bytes_add(struct profile *profile,
			   const struct resolve_places *places, Elf *elf);

/*
 * Set the package of files with many samples in functions without a symbol, if
 * there is a package that has more symbols. @origins and @known are those of
 * profil_resolve().
 */
void profil_resolve_packages(struct profile *profile,
			     const struct resolve_origin *origins,
			     const struct known *known);

#endif
