/* SPDX-License-Identifier: GPL-2.0-only */
/* Reasons why functions have no names, and what shows them */
#ifndef PROFIL_HINTS_H
#define PROFIL_HINTS_H

#include "util/base.h"

struct profile;

/*
 * Print why functions have no names, with the remedy: a line for each file that
 * has a considerable share of such samples.
 */
void profil_hints_print(FILE *out, const struct profile *profile);

#endif
