/* SPDX-License-Identifier: GPL-2.0-only */
/* A file libprofil.so.1, which is read and not loaded */
#ifndef PROFIL_LIBRARY_FILE_H
#define PROFIL_LIBRARY_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "include/version_note.h"

/**
 * struct library_file - facts about the file
 * @run_magic: RUN_MAGIC of the library
 * @version: version of the library
 * @is_musl: the library is linked with musl
 */
struct library_file {
	uint64_t run_magic;
	char version[sizeof(((struct version_note *)0)->text)];
	bool is_musl;
};

/* Read the file; false if it is not an ELF file with the note of libprofil. */
bool profil_library_file_read(struct library_file *library, const char *path);

#endif
