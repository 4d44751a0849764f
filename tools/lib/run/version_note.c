// SPDX-License-Identifier: LGPL-2.1-or-later
/* ELF note that tells which `profil run` the library belongs to */
#include <elf.h>

#include "include/version_note.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/**
 * struct note - the note, as in elf(5)
 * @header: sizes of the rest
 * @owner: RUN_NOTE_NAME
 * @version: contents
 */
struct note {
	Elf64_Nhdr header;
	char owner[8];
	struct version_note version;
};

static const struct note note
	__attribute__((used, section(".note.profil"), aligned(4))) = {
	.header = {
		.n_namesz = sizeof(RUN_NOTE_NAME),
		.n_descsz = sizeof(struct version_note),
		.n_type = VERSION_NOTE_TYPE,
	},
	.owner = RUN_NOTE_NAME,
	.version = { .run_magic = RUN_MAGIC, .text = VERSION },
};
