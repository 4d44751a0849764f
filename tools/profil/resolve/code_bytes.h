/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CODE_BYTES_H
#define PROFIL_CODE_BYTES_H

#include <libelf.h>

#include "profile/profile.h"

/*
 * Store the machine code of the functions of @object that have a considerable
 * share of the samples, from its file @elf.
 */
void profil_code_bytes_add(struct profile *profile, uint32_t object, Elf *elf);

#endif
