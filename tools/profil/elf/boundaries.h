/* SPDX-License-Identifier: GPL-2.0-only */
/* Boundaries of the functions of a file, and the symbols between them */
#ifndef PROFIL_BOUNDARIES_H
#define PROFIL_BOUNDARIES_H

#include <elfutils/libdwfl.h>

#include "elf/unwind.h"

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

/* First section of @elf with the @name or, if that is NULL, of the @type, and its @head */
Elf_Scn *profil_section_find(Elf *elf, uint32_t type, const char *name,
			     GElf_Shdr *head);

/* Name of the section @head of @elf, or "" */
static inline const char *section_name(Elf *elf, const GElf_Shdr *head)
{
	const char *name = NULL;
	size_t names;

	if (!elf_getshdrstrndx(elf, &names))
		name = elf_strptr(elf, names, head->sh_name);
	return name ? name : "";
}

#endif
