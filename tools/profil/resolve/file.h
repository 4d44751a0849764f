/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the places in files, and the machine code of functions */
#ifndef PROFIL_RESOLVE_FILE_H
#define PROFIL_RESOLVE_FILE_H

#include "resolve/resolve.h"

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
 * addresses if @has_addresses.
 */
void profil_resolve_symbols(struct profile *profile,
			    const struct resolve_places *places,
			    struct symbols *symbols, bool has_addresses);

/*
 * Set the source lines, segments and build ID of @places, which have functions, by the
 * open @symbols.
 */
void profil_resolve_lines(struct profile *profile,
			  const struct resolve_places *places,
			  struct symbols *symbols);

/* Add @function, of profil_symbols_function(), of the file @path; its index */
uint32_t profil_resolve_add(struct profile *profile, const char *path,
			    struct profile_function *function);

/* The addresses of @object are known: it has segments. */
bool profil_resolve_has_segments(const struct profile *profile,
				 uint32_t object);

/* Store the code of all hot functions that @profile lacks; @origins as of profil_resolve() */
void profil_resolve_code(struct profile *profile,
			 const struct resolve_origin *origins);

/* Leave out the machine code of functions without a considerable share of the samples. */
void profil_code_bytes_limit(struct profile *profile);

/*
 * Machine code of @function, @function->size bytes, from its file @elf; NULL if
 * the file has not all of it. It is valid as long as @elf.
 */
const uint8_t *profil_code_bytes_read(const struct profile *profile,
				      const struct profile_function *function,
				      Elf *elf);

#endif
