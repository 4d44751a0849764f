/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Contents of the ELF note in libprofil.so.1 */
#ifndef PROFIL_VERSION_NOTE_H
#define PROFIL_VERSION_NOTE_H

#include "include/run_layout.h"

/* Type of the note, whose name is RUN_NOTE_NAME */
#define VERSION_NOTE_TYPE 2

/**
 * struct version_note - contents of the note
 * @run_magic: RUN_MAGIC of the library
 * @text: version of the library
 */
struct version_note {
	__u64 run_magic;
	char text[16];
} __attribute__((packed, aligned(4)));

#endif
