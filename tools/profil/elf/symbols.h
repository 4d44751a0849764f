/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of a file, and the boundaries between its functions */
#ifndef PROFIL_SYMBOLS_H
#define PROFIL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "util/regular_file.h"

/* Boundaries of the functions of a file, and the symbols between them */

/**
 * struct eh_frame - start addresses of functions, from the unwind table
 * @starts: link-time addresses, ascending
 * @nr: elements of @starts
 */
struct eh_frame {
	uint64_t *starts;
	size_t nr;
};

/**
 * struct symbol - a symbol of code
 * @address: link-time address
 * @end: address after the last byte; @address if the size is not known
 * @name: name as in the file
 * @binding: 0 if local to its file, 1 if weak, 2 if global
 */
struct symbol {
	uint64_t address;
	uint64_t end;
	const char *name;
	int binding;
};

/**
 * struct symtab - all symbols of a file
 * @array: the symbols, by address; the preferred one of an address is the last
 * @nr: elements of @array
 */
struct symtab {
	struct symbol *array;
	size_t nr;
};

/**
 * struct boundary - start of a range of addresses with the same attributes
 * @address: link-time address; the range ends at the next boundary
 * @begins: a function, segment or section begins. A range without this and
 *	without a symbol is a gap, which belongs to the function before it.
 * @bounds: a segment or a section begins or ends
 * @code: the range is code
 * @plt: the range is a procedure linkage table, if it has no symbol
 * @symbol: symbol of the range, or NULL
 */
struct boundary {
	uint64_t address;
	bool begins;
	bool bounds;
	bool code;
	bool plt;
	const struct symbol *symbol;
};

/**
 * struct boundaries - all boundaries of a file
 * @array: boundaries, ascending, without duplicates; the first is at 0
 * @nr: elements of @array
 * @eh_frame: starts of functions, by which code without a symbol is found
 * @symtab: symbols that @array refers to
 * @loads: segments that are loaded
 * @nr_loads: elements of @loads
 */
struct boundaries {
	struct boundary *array;
	size_t nr;
	struct eh_frame eh_frame;
	struct symtab symtab;
	GElf_Phdr *loads;
	size_t nr_loads;
};

/*
 * Collect the boundaries of the file @elf, of its unwind table, and of the
 * symbols of @module, whose addresses are @bias too high. @elf and @module may
 * be NULL. Takes O(n log n) for n symbols, whose names belong to @module.
 */
void profil_boundaries_read(struct boundaries *boundaries, Elf *elf,
			    Dwfl_Module *module, GElf_Addr bias);
void profil_boundaries_free(struct boundaries *boundaries);

/* Index of the last boundary at or below @address, in O(log n) */
size_t profil_boundaries_find(const struct boundaries *boundaries,
			      uint64_t address);

/* End of the code of a function without a symbol that has @address */
uint64_t profil_boundaries_end(const struct boundaries *boundaries,
			       uint64_t address);

/* Last start in the unwind table at or below @address; @address if there is none */
uint64_t profil_boundaries_start(const struct boundaries *boundaries,
				 uint64_t address);

/* Store the link-time address of @offset; false if no segment loads it. */
bool profil_boundaries_link_address(const struct boundaries *boundaries,
				    uint64_t offset, uint64_t *address);

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
				    const struct file_identity *then);

/* The same for a file that is open as @fd, which is closed with the symbols */
struct symbols *profil_symbols_open_fd(const char *path, int fd);

/* The first without symbols: only for its status, ELF and DWARF information */
struct symbols *profil_symbols_open_plain(const char *path,
					  const struct file_identity *then);
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
