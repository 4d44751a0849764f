/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_OUTPUT_H
#define PROFIL_OUTPUT_H

#include <stdio.h>

/* Open @path, or take @usual if it is NULL; exits if that cannot be. */
FILE *profil_output_open(const char *path, FILE *usual);

/* Write out what is left, and exit if not all of it went to @path. */
void profil_output_close(FILE *out, const char *path);

#endif
