/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_FILE_IDENTITY_H
#define PROFIL_LIB_FILE_IDENTITY_H

#include "include/run_layout.h"

/*
 * What stat(2) knows of the file @path now; all zero if there is no such file.
 * The build ID is left out.
 */
void profil_file_identity(const char *path, struct run_identity *identity);

/* Add the build ID that the file @path has, if it has one. */
void profil_file_build_id(const char *path, struct run_identity *identity);

#endif
