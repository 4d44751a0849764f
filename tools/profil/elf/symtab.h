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
 * @address: where it begins, as a link-time address
 * @end: address after it; @address if its size is not known
 * @name: its name as the file has it
 * @binding: 0 if it is local to its file, 1 if weak, 2 if global
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
 * Add the symbols of @module that name a place, from .symtab or .dynsym, of
 * the file or of its separate debugging information. @module may be NULL.
 */
void profil_symtab_read(struct symtab *symtab, Dwfl_Module *module,
			GElf_Addr bias);

/* Sort by address; of several at one address the preferred comes last. */
void profil_symtab_sort(struct symtab *symtab);
void profil_symtab_free(struct symtab *symtab);

/**
 * struct sweep - a walk through the addresses of a file, from low to high
 * @symtab: its sorted symbols
 * @next: the first symbol that has not been reached
 * @open: for local symbols and for others, those with a size that have been
 *	reached and may not have ended; the innermost is last
 * @nr_open: elements of each of @open
 * @label: the last symbol without a size that has been reached, or NULL
 * @covered: the greatest end of a symbol that has been reached
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
 * Go on to @address, which is not below the last one, and return the symbol
 * that it belongs to, or NULL: a global or weak symbol goes before a local one,
 * the innermost before one around it; a symbol without a size lasts until a
 * sized one or a section that @bounds it.
 */
const struct symbol *profil_sweep_to(struct sweep *sweep, uint64_t address,
				     bool bounds);

#endif
