/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is written aside and replaces another one when it is complete
 *
 * The file has no name while it is written, so that it vanishes with a process that is
 * killed.
 */
#ifndef PROFIL_REPLACE_H
#define PROFIL_REPLACE_H

#include "util/base.h"

/* Open a file without a name in the directory of @path: as open(2). */
int profil_replace_open(const char *path, mode_t mode);

/*
 * Give the file @fd a new name beside @path, for rename(2), and store it in @name: 0, or
 * -errno and "".
 */
int profil_replace_name(int fd, const char *path, char name[PATH_MAX]);

#endif
