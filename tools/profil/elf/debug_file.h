/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files with separate debugging information, here
 *
 * The names come from programs that are not trusted. Only regular files are opened,
 * and a file is taken only if it belongs to the program.
 */
#ifndef PROFIL_DEBUG_FILE_H
#define PROFIL_DEBUG_FILE_H

#include <elfutils/libdw.h>

#include "util/base.h"

/* The file; none if @dwarf is NULL, without which @fd is of no use */
struct alternative {
	Dwarf *dwarf;
	int fd;
};

/*
 * Open the file that @dwarf shares with others, and set it in @dwarf. @path is the
 * path by which the program was opened; @own_path is that of the file of @dwarf without
 * links, and names nothing or another file if the file is in another mount namespace.
 * A file that is not found is replaced by an empty one: libdw looks for none then.
 */
void profil_alternative_begin(struct alternative *alternative, Dwarf *dwarf,
			      const char *path, const char *own_path);

/* Close the file, after the last use of the information that shares it. */
void profil_alternative_end(struct alternative *alternative);

/*
 * Store in @full the first entry of the split unit of @unit, an entry of the file @path;
 * or @unit if its unit is whole. False, and @unit, if the other part is not found, or if
 * a file that may have it is not a regular file.
 */
bool profil_split_unit_of(Dwarf_Die unit, const char *path, Dwarf_Die *full);

/*
 * Open the separate file of the program @path, whose ELF file is @elf. It is looked for
 * by its build ID, by the name in .gnu_debuglink, and by the program's name. The
 * directories of a name are that of the program, its .debug, and those of the same name
 * in the system's directory. -1: there is none.
 */
int profil_debug_file_find(const char *path, Elf *elf);

/*
 * Does the file at @fd begin as an ELF file? libdwfl would expand a compressed file in
 * memory, to any size.
 */
bool profil_is_elf(int fd);

#endif
