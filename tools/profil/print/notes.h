/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples that are not in places, and reasons why a profile is incomplete */
#ifndef PROFIL_NOTES_H
#define PROFIL_NOTES_H

#include "util/base.h"

struct profile;

/*
 * Print the time of CPUs that no code of a program has, and a line for each reason why the
 * profile is incomplete. A gmon.out or mon.out tells none.
 */
void profil_notes_print(FILE *out, const struct profile *profile);

/*
 * The lines of profil_notes_print() and of profil_hints_print(), in memory of malloc().
 * Each ends with a newline, and names in it have no control characters.
 */
char *profil_notes_text(const struct profile *profile);

/* Seconds of CPU time that are not in the samples; 0 if chance explains them */
double profil_missing_seconds(const struct profile *profile);

#endif
