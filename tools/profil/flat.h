/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FLAT_H
#define PROFIL_FLAT_H

#include <stdio.h>

#include "profile.h"

/* Print the flat profile: a line for each function, the heaviest first. */
void profil_flat(FILE *out, const struct profile *profile);

#endif
