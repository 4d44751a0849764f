/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SYMBOLS_H
#define PROFIL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "elf/boundaries.h"
#include "include/run_layout.h"

struct symbols;

/**
 * struct location - what lies at an offset of a file
 * @name: the symbol, or NULL; good as long as the symbols are open
 * @address: where the function begins, as a link-time address; without symbol
 *	and unwind table the address itself, and the offset if the file cannot
 *	be read
 */
struct location {
	const char *name;
	uint64_t address;
};

/**
 * enum symbols_state - whether the file of symbols was read
 * @SYMBOLS_READ: it was, whatever symbols it has
 * @SYMBOLS_UNREADABLE: it cannot be opened
 * @SYMBOLS_REPLACED: it is not the file that was profiled
 */
enum symbols_status { SYMBOLS_READ, SYMBOLS_UNREADABLE, SYMBOLS_REPLACED };

/*
 * The symbols of the file @path, or [vdso]; usable even if there are none. If
 * the file is not the one that @then tells of, they are left out; NULL: any is.
 */
struct symbols *profil_symbols_open(const char *path,
				    const struct run_identity *then);
enum symbols_status profil_symbols_status(const struct symbols *symbols);
void profil_symbols_close(struct symbols *symbols);

/* What lies at an offset of the file, or at a link-time address in its code */
struct location profil_symbols_at_offset(const struct symbols *symbols,
					 uint64_t offset);
struct location profil_symbols_at_address(const struct symbols *symbols,
					  uint64_t address);

/* Bytes of an address in the file; 0 if it is no ELF file */
unsigned int profil_symbols_word(const struct symbols *symbols);

/* Where these answers may change; good as long as the symbols are open */
const struct boundaries *
profil_symbols_boundaries(const struct symbols *symbols);

#endif
