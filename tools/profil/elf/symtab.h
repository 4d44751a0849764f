/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SYMTAB_H
#define PROFIL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdwfl.h>
#include <gelf.h>

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
 * @array: the symbols; sorted by profil_symtab_sort()
 * @nr: elements of @array
 * @room: allocated elements of @array
 */
struct symtab {
	struct symbol *array;
	size_t nr;
	size_t room;
};

/*
 * Add the symbols of @module that have an address, from .symtab or .dynsym of
 * the file or of its separate debugging information. @module may be NULL.
 */
void profil_symtab_read(struct symtab *symtab, Dwfl_Module *module,
			GElf_Addr bias);

/* Sort by address; the preferred symbol of an address is the last. */
void profil_symtab_sort(struct symtab *symtab);
void profil_symtab_free(struct symtab *symtab);

/**
 * struct sweep - a walk through the addresses of a file, from low to high
 * @symtab: sorted symbols
 * @next: index of the first symbol above the address
 * @open: stacks of local and of other symbols with a size, the innermost last,
 *	that begin at or below the address and may end above it
 * @nr_open: elements of each stack
 * @label: last symbol without a size at or below the address, or NULL
 * @covered: highest end of a symbol at or below the address
 */
struct sweep {
	const struct symtab *symtab;
	size_t next;
	const struct symbol **open[2];
	size_t nr_open[2];
	const struct symbol *label;
	uint64_t covered;
};

void profil_sweep_begin(struct sweep *sweep, const struct symtab *symtab);
void profil_sweep_end(struct sweep *sweep);

/*
 * Advance to @address, which is not below the last one, and return its symbol,
 * or NULL. A global or weak symbol is preferred to a local one, and an inner one
 * to an outer one. A symbol without a size ends at a symbol with one, or at the
 * boundary of a section, which @bounds marks.
 */
const struct symbol *profil_sweep_to(struct sweep *sweep, uint64_t address,
				     bool bounds);

#endif
