/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Search for files with separate debugging information, here
 *
 * The names come from programs that are not trusted. Only regular files are opened,
 * and a file is taken only if it belongs to the program.
 */
#ifndef PROFIL_ELF_DEBUG_FILE_H
#define PROFIL_ELF_DEBUG_FILE_H

#include <stddef.h>

#include <gelf.h>

/**
 * struct debug_file_wanted - properties of the file that is looked for
 * @id: its build ID
 * @id_size: bytes of @id; 0: there is none, and @sum decides
 * @sum: CRC-32 of its content
 * @main: path of the program, which is not the file by another name; or NULL
 */
struct debug_file_wanted {
	const void *id;
	size_t id_size;
	GElf_Word sum;
	const char *main;
};

/* Open the file @path if it is @wanted: a descriptor, to be closed, or -1. */
int profil_debug_file_open(const char *path,
			   const struct debug_file_wanted *wanted);

/* Open the file with the build ID of @wanted in the system's directory. */
int profil_debug_file_by_id(const struct debug_file_wanted *wanted);

/*
 * Open the separate file of the program @path, which is @elf: by its build ID; by
 * the name in .gnu_debuglink, which has no directory; or by the program's name. The
 * directories of a name are that of the program, its .debug, and those of the same
 * name in the system's directory. -1: there is none.
 */
int profil_debug_file_find(const char *path, Elf *elf);

#endif
