/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that several programs share a part of their DWARF information in, which
 * dwz(1) writes and .gnu_debugaltlink names
 */
#ifndef PROFIL_ELF_ALTERNATIVE_H
#define PROFIL_ELF_ALTERNATIVE_H

#include <elfutils/libdw.h>

/**
 * struct alternative - the file; none if @dwarf is NULL
 * @dwarf: its DWARF information
 * @fd: its descriptor; of no use without @dwarf
 */
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

/* Let @dwarf share nothing. */
void profil_alternative_refuse(Dwarf *dwarf);

#endif
