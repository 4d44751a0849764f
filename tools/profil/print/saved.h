/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SAVED_H
#define PROFIL_SAVED_H

#include <stdio.h>

#include "profile/rows.h"
#include "record/recorder.h"

/*
 * Print where the profile was saved, if it was, and the next command: one that
 * shows the first function of the sorted @rows.
 */
void profil_saved_print(FILE *out, const struct recorder *recorder,
			const struct rows *rows);

/* Warn that the profile is elsewhere, or nowhere; false if it is in its file. */
bool profil_saved_warn(const struct recorder *recorder);

/* Print a summary of @profile and the next command to stderr. */
void profil_saved_print_summary(const struct recorder *recorder,
				const struct profile *profile);

#endif
