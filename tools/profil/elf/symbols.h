/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SYMBOLS_H
#define PROFIL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "elf/boundaries.h"
#include "include/run_layout.h"

struct symbols;

/**
 * struct location - function at an address of a file
 * @name: symbol, or NULL; valid until the symbols are closed
 * @address: link-time start address of the function; without symbol and unwind
 *	table the address itself
 */
struct location {
	const char *name;
	uint64_t address;
};

/**
 * enum symbols_status - result of opening the symbols of a file
 * @SYMBOLS_READ: the file was read; it may have no symbols
 * @SYMBOLS_UNREADABLE: the file cannot be opened
 * @SYMBOLS_REPLACED: the file is not the one that was profiled
 */
enum symbols_status { SYMBOLS_READ, SYMBOLS_UNREADABLE, SYMBOLS_REPLACED };

/*
 * Open the symbols of the file @path, or of [vdso]. Never fails: without symbols
 * locations have no names. A file that does not match @then is not read; NULL
 * matches any file.
 */
struct symbols *profil_symbols_open(const char *path,
				    const struct run_identity *then);

/* The same for a file that is open as @fd, which is closed with the symbols */
struct symbols *profil_symbols_open_fd(const char *path, int fd);

/* The first without symbols: only for its status, ELF and DWARF information */
struct symbols *profil_symbols_open_plain(const char *path,
					  const struct run_identity *then);
enum symbols_status profil_symbols_status(const struct symbols *symbols);
void profil_symbols_close(struct symbols *symbols);

/* Location at a link-time address */
struct location profil_symbols_at_address(const struct symbols *symbols,
					  uint64_t address);

/* Bytes of an address in the file; 0 if it is not ELF */
unsigned int profil_symbols_word(const struct symbols *symbols);

/* The file as ELF, or NULL; valid until the symbols are closed */
Elf *profil_symbols_elf(const struct symbols *symbols);

/*
 * DWARF information of the file or of its separate file, or NULL; valid until
 * the symbols are closed. @bias is added to a link-time address for it.
 */
Dwarf *profil_symbols_dwarf(struct symbols *symbols, uint64_t *bias);

/* Path of the file that has the DWARF information, or "" */
const char *profil_symbols_dwarf_path(const struct symbols *symbols);

/* Boundaries between locations; valid until the symbols are closed */
const struct boundaries *
profil_symbols_boundaries(const struct symbols *symbols);

#endif
