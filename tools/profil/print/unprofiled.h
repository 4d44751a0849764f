/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_UNPROFILED_H
#define PROFIL_UNPROFILED_H

#include <stdbool.h>
#include <stdio.h>

#include "record/run_file.h"

/*
 * Note the command @name in the run's file if libprofil cannot be preloaded in
 * it. A program that cannot be found or read is not noted: execvp() fails.
 */
void profil_unprofiled_note(const struct run_file *file, const char *name);

/* Some program was noted in the run's file. */
bool profil_unprofiled_has_names(const struct run *run);

/*
 * Print the CPU time of children that is not in the samples of @totals, if
 * chance does not explain it, and the programs that are not in the profile.
 */
void profil_unprofiled_print(FILE *out, const struct run *run,
			     const struct profil_totals *totals);

#endif
