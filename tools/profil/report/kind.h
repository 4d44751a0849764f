/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_KIND_H
#define PROFIL_KIND_H

#include <stdbool.h>

/* The regular file @path is a program or library. */
bool profil_kind_is_program(const char *path);

/* The regular file @path is a profil.data. */
bool profil_kind_is_data(const char *path);

#endif
