/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FILE_NAME_H
#define PROFIL_FILE_NAME_H

#include <stdbool.h>

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
