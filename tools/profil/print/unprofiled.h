/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_UNPROFILED_H
#define PROFIL_UNPROFILED_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"

/* Some program was executed without libprofil. */
bool profil_unprofiled_has_names(const struct profile *profile);

/*
 * Print the CPU time that is not in the samples, if chance does not explain it,
 * and the programs that are not in the profile.
 */
void profil_unprofiled_print(FILE *out, const struct profile *profile);

#endif
