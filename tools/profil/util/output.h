/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_OUTPUT_H
#define PROFIL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * To be called first: sees that descriptors 0 to 2 are open, so that no other
 * file gets one of these numbers, and that a file which may not grow is an
 * error and not a signal.
 */
void profil_output_begin(void);

/* Undo in a child what profil_output_begin() did to it. */
void profil_output_undo(void);

/*
 * Open @path, or take stdout if it is "-" and @usual if it is NULL; exits if
 * that cannot be done, and if @usual was closed when the program began.
 */
FILE *profil_output_open(const char *path, FILE *usual);

/* stdout; exits if it was closed when the program began. */
FILE *profil_output_stdout(void);

/*
 * Exit if @path, which may be NULL or "-", is the file @input: opening @path
 * would leave nothing of what is read there.
 */
void profil_output_check_input(const char *path, const char *input);

/* Write out what is left, and exit if not all of it went to @path. */
void profil_output_close(FILE *out, const char *path);

/* Whether @out is a terminal that has colours */
bool profil_output_has_colours(FILE *out);

/* Whether text on a terminal is UTF-8 by the locale */
bool profil_output_is_utf8(void);

/* @utf8 if the locale has it, else @ascii */
const char *profil_output_sign(const char *utf8, const char *ascii);

#endif
