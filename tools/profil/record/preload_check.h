/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PRELOAD_CHECK_H
#define PROFIL_PRELOAD_CHECK_H

#include <limits.h>
#include <stdbool.h>

/* Directory that the library is installed in */
extern const char profil_preload_directory[];

/*
 * Find libprofil.so.1: PROFIL_LIB, or the library beside the command, or the
 * installed one. False if there is none.
 */
bool profil_preload_find(char library[PATH_MAX]);

/*
 * Path of libprofil.so.1 for LD_PRELOAD, in static storage. Exits if the library
 * is not found, or LD_PRELOAD cannot contain its path.
 */
const char *profil_preload_library(void);

#endif
