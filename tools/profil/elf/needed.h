/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that the loader maps for a program */
#ifndef PROFIL_ELF_NEEDED_H
#define PROFIL_ELF_NEEDED_H

#include "util/base.h"

/* Upper limit of files */
#define NEEDED_FILES 256

/*
 * Paths, each once and to be freed, of the program @path, of its interpreter, and of the
 * libraries that they need: as the loader of the C library finds them, without executing
 * anything. A library that is not found is left out. Returns their number.
 */
size_t profil_needed_find(const char *path, char *paths[NEEDED_FILES]);

#endif
