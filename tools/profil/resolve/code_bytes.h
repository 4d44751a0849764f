/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CODE_BYTES_H
#define PROFIL_CODE_BYTES_H

#include <stdint.h>

#include <libelf.h>

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
 * Store the machine code of the functions of @object that have a considerable
 * share of the samples, from its file @elf.
 */
void profil_code_bytes_add(struct profile *profile, Elf *elf, uint32_t object);

#endif
