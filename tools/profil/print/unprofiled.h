/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_UNPROFILED_H
#define PROFIL_UNPROFILED_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"

/* Some program was executed without libprofil. */
bool profil_unprofiled_has_names(const struct profile *profile);

/* The reason why a program is not profiled, or NULL if the profile has it */
const char *profil_unprofiled_reason(const struct profile_unseen *unseen);

/* Seconds of CPU time that are not in the samples; 0 if chance explains them */
double profil_unprofiled_seconds(const struct profile *profile);

/*
 * The part of these that passed while the processes had sessions: the time of all
 * sessions, less that of their samples, if chance does not explain it. Ticks have come
 * late or not at all, or when the processes did not run.
 */
double profil_unprofiled_unsampled(const struct profile *profile);

/*
 * Print the CPU time that is not in the samples, if chance does not explain it,
 * with the causes that were counted, and the programs that are not in the profile.
 */
void profil_unprofiled_print(FILE *out, const struct profile *profile);

#endif
