/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_NOTES_H
#define PROFIL_NOTES_H

#include <stdio.h>

#include "profile/profile.h"

/*
 * Print a line for each reason why the profile is incomplete, with the programs
 * that were not profiled.
 */
void profil_notes_print(FILE *out, const struct profile *profile);

#endif
