/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_NOTES_H
#define PROFIL_NOTES_H

#include <stdio.h>

#include "record/recording.h"

/*
 * Print what the profile leaves out, below its table: a line for each reason.
 * Lines about programs that could not be profiled belong here, too.
 */
void profil_notes_print(FILE *out, const struct recording *recording);

#endif
