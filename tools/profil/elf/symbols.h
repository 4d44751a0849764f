/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of a file, and its debugging information */
#ifndef PROFIL_SYMBOLS_H
#define PROFIL_SYMBOLS_H

#include "elf/boundaries.h"
#include "elf/debug_file.h"
#include "profile/profile.h"

/*
 * Symbols of one file
 * @names: PROFILE_NAMES_READ, or the reason why the file is not read
 * @module: the file in libdwfl, or NULL: no location has a name; private
 * @elf: the file as ELF, or NULL
 * @bias: difference between addresses of libdwfl and link-time addresses; private
 * @boundaries: boundaries between functions, of profil_symbols_read()
 * @path: path of the file that was opened, without links, or NULL; private
 * @dwarf: DWARF information, or NULL if there is none or it was not read; private
 * @alternative: file that @dwarf shares with others; private
 */
struct symbols {
	enum profile_names names;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
	struct boundaries boundaries;
	char *path;
	Dwarf *dwarf;
	struct alternative alternative;
};

/*
 * Open the file @path, or [vdso], for its symbols, its code and its debugging
 * information. Never fails: a file that does not match @then is not read; NULL matches
 * any file.
 */
struct symbols *profil_symbols_open(const char *path,
				    const struct file_identity *then);

/* The same for a file that is open as @fd, or -1, which is closed with the symbols */
struct symbols *profil_symbols_open_fd(const char *path, int fd);

/* Read @boundaries; without symbols functions have no names. */
void profil_symbols_read(struct symbols *symbols);

void profil_symbols_close(struct symbols *symbols);

/*
 * Function at a link-time address, without its object. It has a name only if that is
 * not its symbol. Code without a symbol belongs to the function that the unwind table
 * has for it, or else is a function.
 */
struct profile_function profil_symbols_function(const struct symbols *symbols,
						uint64_t address);

/*
 * DWARF information of the file or of its separate file, or NULL; valid until
 * the symbols are closed. @bias is added to a link-time address for it.
 */
Dwarf *profil_symbols_dwarf(struct symbols *symbols, uint64_t *bias);

/*
 * The file or its separate file has DWARF information that elfutils cannot unpack, so
 * that profil_symbols_dwarf() has none
 */
bool profil_symbols_packed(struct symbols *symbols);

/* Path of the file that has the DWARF information, or "" */
const char *profil_symbols_dwarf_path(const struct symbols *symbols);

/*
 * Number of the local symbol @name at @address, from 1 on; 1 if @symbols, of
 * profil_recorded_file_open(), is NULL
 */
uint32_t profil_local_number(const struct symbols *symbols, const char *name,
			     uint64_t address);

#endif
