/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_FILE_IDENTITY_H
#define PROFIL_LIB_FILE_IDENTITY_H

#include "include/run_layout.h"

/*
 * Fill @identity from stat(2) of @path, without the build ID; all zero if there
 * is no such regular file.
 */
void profil_file_identity(const char *path, struct run_identity *identity);

/*
 * Add the build ID of the file @path, if it has one, and is the file of @identity and
 * unchanged. No other file is opened. Needs proc(5).
 */
void profil_file_build_id(const char *path, struct run_identity *identity);

#endif
