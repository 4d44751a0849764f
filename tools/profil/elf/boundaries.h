/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_BOUNDARIES_H
#define PROFIL_BOUNDARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "elf/eh_frame.h"
#include "elf/symtab.h"

/**
 * struct boundary - an address of a file where one thing ends or another begins
 * @address: link-time address; up to the next edge all is alike
 * @begins: something begins, even if it has no symbol. What has none and does
 *	not begin belongs to what is before it: it fills a gap.
 * @bounds: a segment or a section begins or ends
 * @code: there is code from here on
 * @plt: the code is a procedure linkage table, if it has no symbol
 * @symbol: the symbol that the code belongs to, or NULL
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
 * struct boundaries - all edges of a file
 * @array: the edges; ascending, the first at 0, each once
 * @nr: elements of @array
 * @room: allocated elements of @array
 * @symtab: the symbols that the edges refer to
 * @loads: the segments that are loaded
 * @nr_loads: elements of @loads
 */
struct boundaries {
	struct boundary *array;
	size_t nr;
	size_t room;
	struct symtab symtab;
	GElf_Phdr *loads;
	size_t nr_loads;
};

/*
 * Collect the edges of the file @elf, of its unwind table, and of all symbols
 * of @module, which are off by @bias. @elf and @module may be NULL. Takes
 * O(n log n) for n symbols; a symbol's name lives as long as @module.
 */
void profil_boundaries_read(struct boundaries *boundaries, Elf *elf,
			    const struct eh_frame *eh_frame,
			    Dwfl_Module *module, GElf_Addr bias);
void profil_boundaries_free(struct boundaries *boundaries);

/* The index of the last edge at or before @address, in O(log n) */
size_t profil_boundaries_find(const struct boundaries *boundaries,
			      uint64_t address);

/* Where the linker put what lies at @offset; false if nothing loads that. */
bool profil_boundaries_link_address(const struct boundaries *boundaries,
				    uint64_t offset, uint64_t *address);

#endif
