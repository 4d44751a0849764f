/* SPDX-License-Identifier: GPL-2.0-only */
/* Output of the command, and names of files in messages */
#ifndef PROFIL_OUTPUT_H
#define PROFIL_OUTPUT_H

#include "util/base.h"

/*
 * Call first: open descriptors 0 to 2 if they are closed, so that no other file
 * gets one of these numbers, and ignore SIGXFSZ, so that write() fails instead.
 */
void profil_output_begin(void);

/*
 * The lowest free descriptor, of a file without content: /dev/null or, where a root
 * directory has none, a file in memory. -1 if there is no free one.
 */
int profil_output_null(void);

/* Restore SIGXFSZ in a child. */
void profil_output_undo(void);

/*
 * Open @path; "-" is stdout, and NULL is @usual. Exits if the file cannot be
 * opened, or stdout was closed when the program began. A closed stderr takes all.
 */
FILE *profil_output_open(const char *path, FILE *usual);

/*
 * From now on write to the descriptor @fd in place of any file but stdout, and call
 * @written when a file is closed.
 */
void profil_output_redirect(int fd, void (*written)(void));

/* stdout; exits if it was closed when the program began. */
FILE *profil_output_stdout(void);

/*
 * Exit if @path, which may be NULL or "-", is the file @input, which opening it
 * would truncate.
 */
void profil_output_check_input(const char *path, const char *input);

/* Flush and close @out; exits if some of the output was not written. */
void profil_output_close(FILE *out, const char *path);

/* Colours of a terminal */
#define GREY "\033[2m"
#define RED "\033[31m"
#define BOLD "\033[1m"
#define REVERSE "\033[7m"
#define PLAIN "\033[0m"

/* @out is a terminal with colours. */
bool profil_output_has_colours(FILE *out);

/* Characters of a line of the terminal @out; 0 if it is none, or has no size */
size_t profil_output_columns(FILE *out);

/* The name of @path in a message: stdin if it is -, or the name that was set */
const char *profil_file_name(const char *path);

/* Set the name of @path, for example of a copy. Both are kept. */
void profil_file_name_set(const char *path, const char *name);

/*
 * Exit if @path is stdin, by any of its names, and a call before has had stdin:
 * its content can be read once.
 */
void profil_file_name_check(const char *path);

#endif
