/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a profile was saved */
#ifndef PROFIL_SAVED_H
#define PROFIL_SAVED_H

#include "util/base.h"

struct profile;
struct recorder;
struct rows;

/* Print where the profile was saved, if it was, and the next command. */
void profil_saved_print(FILE *out, const struct recorder *recorder,
			const struct profile *profile, const struct rows *rows);

/* Warn that the profile is elsewhere, or nowhere; false if it is in its file. */
bool profil_saved_warn(const struct recorder *recorder);

/* Print a summary of @profile and the next command to stderr. */
void profil_saved_print_summary(const struct recorder *recorder,
				const struct profile *profile);

#endif
