/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DATA_FILES_H
#define PROFIL_DATA_FILES_H

#include "profile/profile.h"

/*
 * Read @files, of which - is stdin, one at least and ended by NULL, and add them
 * up in @sum. Exits on an error.
 */
void profil_data_files_read(char **files, struct profile *sum);

#endif
