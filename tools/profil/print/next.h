/* SPDX-License-Identifier: GPL-2.0-only */
/* The next command, which shows more of what a profile is about */
#ifndef PROFIL_NEXT_H
#define PROFIL_NEXT_H

#include "util/base.h"

struct profile;
struct rows;

/*
 * Print the next command behind a semicolon, if there is one that helps: one for the
 * kernel, for the hottest function of the user's own code, or for all programs or
 * objects. @rows are the functions of @profile.
 */
void profil_next_print(FILE *out, const struct profile *profile,
		       const struct rows *rows);

#endif
