/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CODE_BYTES_H
#define PROFIL_CODE_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include <libelf.h>

#include "resolve/file.h"

struct profile;
struct profile_function;

/*
 * Machine code of @function, @function->size bytes, from its file @elf; NULL if
 * the file has not all of it. It is valid as long as @elf.
 */
const uint8_t *profil_code_bytes_read(const struct profile *profile,
				      const struct profile_function *function,
				      Elf *elf);

/*
 * Store the machine code of the functions of @places that have a considerable
 * share of the samples, from the file @elf unless it is known. False if a part is
 * missing since @elf is NULL; a second call with the file completes the code.
 */
bool profil_code_bytes_add(struct profile *profile,
			   const struct resolve_places *places, Elf *elf);

#endif
