/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of a file, the boundaries between its functions, and its debugging information */
#ifndef PROFIL_SYMBOLS_H
#define PROFIL_SYMBOLS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "profile/profile.h"

/*
 * Files with separate debugging information, here
 *
 * The names come from programs that are not trusted. Only regular files are opened,
 * and a file is taken only if it belongs to the program.
 */

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
 * Open the separate file of the program @path, which is @elf: by its build ID; by
 * the name in .gnu_debuglink, which has no directory; or by the program's name. The
 * directories of a name are that of the program, its .debug, and those of the same
 * name in the system's directory. -1: there is none.
 */
int profil_debug_file_find(const char *path, Elf *elf);

/* Files from the servers of DEBUGINFOD_URLS, by build ID */

/* Kinds of files */
enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE };

/*
 * There are servers to ask: DEBUGINFOD_URLS is set, and the servers have
 * answered so far.
 */
bool profil_debuginfod_has_servers(void);

/* Ask the servers, and store the path of the file, unless there is none, in @path. */
void profil_debuginfod_path(enum debuginfod_kind kind, const void *id,
			    size_t size, char path[PATH_MAX]);

/*
 * Does the file at @fd begin as an ELF file? libdwfl would expand a compressed file in
 * memory, to any size.
 */
bool profil_is_elf(int fd);

/* Boundaries of the functions of a file, and the symbols between them */

/*
 * Functions in the unwind table of a file; all 0 if it has none
 * @starts: link-time addresses of their first bytes, ascending
 * @elf: the file; private
 * @pairs: index of the table, at @address and @offset of the file; private
 */
struct unwind {
	uint64_t *starts;
	size_t nr;
	Elf *elf;
	const unsigned char *pairs;
	uint64_t address;
	uint64_t offset;
};

/*
 * Read the table whose index is @segment of @elf, if it is of the usual kind, and the
 * first. It is valid as long as @elf; @starts is freed by the caller.
 */
void profil_unwind_read(struct unwind *unwind, Elf *elf,
			const GElf_Phdr *segment);

/* End of the function @nr; where that is not known, the start of the next one */
uint64_t profil_unwind_end(const struct unwind *unwind, size_t nr);

/**
 * struct symbol - a symbol of code
 * @address: link-time address
 * @end: address after the last byte
 * @name: name as in the file
 * @binding: 0 if local to its file, 1 if weak, 2 if global
 * @is_label: the size is not known; @end is that of the code that it may name
 * @has_others: its table has all symbols of the file, and not only exported ones
 */
struct symbol {
	uint64_t address;
	uint64_t end;
	const char *name;
	uint8_t binding;
	bool is_label;
	bool has_others;
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

/*
 * All boundaries of a file
 * @array: boundaries, ascending, without duplicates; the first is at 0
 * @unwind: functions by which code without a symbol is found
 * @symbols: symbols that @array refers to, by address; the preferred one of an
 *	address is the last
 */
struct boundaries {
	struct boundary *array;
	size_t nr;
	struct unwind unwind;
	struct symbol *symbols;
	size_t nr_symbols;
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

/*
 * Add the functions of Go in @elf to the symbols of @boundaries, whose segments have been
 * read. Their names are valid as long as @elf.
 */
void profil_go_functions_read(struct boundaries *boundaries, Elf *elf);

/* @address is in a segment of code. */
static inline bool
profil_boundaries_is_code(const struct boundaries *boundaries, uint64_t address)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *segment = &boundaries->loads[i];

		if (segment->p_flags & PF_X && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
}

/* Index of the last boundary at or below @address, in O(log n) */
size_t profil_boundaries_find(const struct boundaries *boundaries,
			      uint64_t address);

/* End of the code of a function without a symbol that has @address */
uint64_t profil_boundaries_end(const struct boundaries *boundaries,
			       uint64_t address);

/*
 * Start of the function without a symbol that has @address, by the unwind table. Code
 * behind a function that the table lacks begins behind it; without any, it is @address.
 */
uint64_t profil_boundaries_start(const struct boundaries *boundaries,
				 uint64_t address);

/* Link-time address of @offset; @offset if no segment loads it */
uint64_t profil_boundaries_link_address(const struct boundaries *boundaries,
					uint64_t offset);

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

/* Names of functions, and numbers of local symbols */

/* Section of all symbols of @elf, and its @head; NULL if they are stripped */
Elf_Scn *profil_symbol_table(Elf *elf, GElf_Shdr *head);

/*
 * Printable copy of @symbol as in the source code: demangled for C++, Rust and D,
 * without the version of an exported symbol and without the suffix of LLVM. A name of
 * more than 4 KiB is without the arguments of inner templates, and may be cut.
 */
char *profil_demangle(const char *symbol);

/*
 * Printable name of @function, of profil_symbols_function(), in the file @path: its
 * name or symbol, or the name of the file and the address.
 */
char *profil_function_name(const char *path,
			   const struct profile_function *function);

/*
 * Number of the local symbol @name at @address, from 1 on; 1 if @symbols, of
 * profil_recorded_file_open(), is NULL
 */
uint32_t profil_local_number(const struct symbols *symbols, const char *name,
			     uint64_t address);

#endif
