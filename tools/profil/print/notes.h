/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_NOTES_H
#define PROFIL_NOTES_H

#include <stdio.h>

#include "profile/profile.h"

/*
 * Print a line for each reason why the profile is incomplete, with the programs
 * that were not profiled. A gmon.out or mon.out tells none.
 */
void profil_notes_print(FILE *out, const struct profile *profile);

/*
 * Print why functions have no names, with the remedy: a line for each file that
 * has a considerable share of such samples.
 */
void profil_hints_print(FILE *out, const struct profile *profile);

/*
 * The lines of both, in memory of malloc(): each ends with a newline,
 * and names in it have no control characters.
 */
char *profil_notes_text(const struct profile *profile);

#endif
