/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_UNPROFILED_H
#define PROFIL_UNPROFILED_H

#include <stdbool.h>
#include <stdio.h>

#include "record/run_file.h"

/*
 * Note the command @name in the run's file if libprofil will not be in it. A
 * program that cannot be found or read is left to execvp() to refuse.
 */
void profil_unprofiled_note(const struct run_file *file, const char *name);

/* Whether a program was noted in the run's file, by the command or a process */
bool profil_unprofiled_has_names(const struct run *run);

/*
 * Print to @out how much CPU time of the children that were waited for is
 * not among the samples of @totals, if that is more than chance, and the
 * programs that were executed and are not in the profile.
 */
void profil_unprofiled_print(FILE *out, const struct run *run,
			     const struct profil_totals *totals);

#endif
