/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_FILE_H
#define PROFIL_RESOLVE_FILE_H

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

#endif
