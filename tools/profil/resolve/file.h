/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the places in files, and the machine code of functions */
#ifndef PROFIL_RESOLVE_FILE_H
#define PROFIL_RESOLVE_FILE_H

#include "resolve/resolve.h"

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
