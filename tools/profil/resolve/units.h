/* SPDX-License-Identifier: GPL-2.0-only */
/* Compilation units of a file, and the functions in each */
#ifndef PROFIL_RESOLVE_UNITS_H
#define PROFIL_RESOLVE_UNITS_H

#include "elf/symbols.h"

/**
 * struct die_range - a range of code and its entry
 * @low: address in the DWARF information
 * @high: address after the range
 * @die: entry of a unit, of a function, or of a function that was inlined
 * @parent: of an inlined function, index of the range of that which inlined it
 */
struct die_range {
	uint64_t low;
	uint64_t high;
	Dwarf_Die die;
	uint32_t parent;
};

/* Ranges, ascending but in the case of inlined functions */
struct die_ranges {
	struct die_range *array;
	size_t nr;
};

/*
 * Units of a file
 * @dwarf: DWARF information, or NULL
 * @path: path of the file that has it
 * @code: segments of code; functions elsewhere were discarded by the linker
 * @all: ranges of all units, read when .debug_aranges lacks an address
 * @unit: entry of the last unit that was found
 * @functions: functions of that unit
 * @discarded: those that were discarded, by addresses of other code, perhaps
 * @is_alone: a split unit that was read has no other part
 * @has_nested: @functions has those in other functions, too
 */
struct units {
	Dwarf *dwarf;
	const char *path;
	struct die_ranges code;
	struct die_ranges all;
	bool is_read;
	Dwarf_Die unit;
	struct die_ranges functions;
	struct die_ranges discarded;
	bool has_nested;
	bool is_alone;
};

/*
 * Units of @symbols, which may be NULL and are closed later. @bias is that of
 * profil_symbols_dwarf(), and unchanged without @symbols.
 */
void profil_units_begin(struct units *units, struct symbols *symbols,
			uint64_t *bias);
void profil_units_end(struct units *units);

/*
 * Store the entry of the unit with the code at @address. For split units it is
 * the one in the program, which has the table of lines. Addresses that ascend
 * are found fastest. False if there is no such unit.
 */
bool profil_units_find(struct units *units, uint64_t address, Dwarf_Die *unit);

/*
 * Store the entry of the function at @address, in @unit from
 * profil_units_find(). False if there is none, as for assembly code.
 */
bool profil_units_function(struct units *units, const Dwarf_Die *unit,
			   uint64_t address, Dwarf_Die *function);

/*
 * Store the entry of a function of the last unit that was discarded, and would have
 * @address. False if there is none.
 */
bool profil_units_discarded(const struct units *units, uint64_t address,
			    Dwarf_Die *function);

/*
 * Read the scopes of the function @die: the function as the first element, which
 * contains no address, and then the ranges of functions that were inlined in it, each
 * behind its parent. @scopes may have those of another function.
 */
void profil_scopes_read(struct die_ranges *scopes, Dwarf_Die *die);
void profil_ranges_free(struct die_ranges *ranges);

/* Index of the innermost scope at @address, in O(n) */
uint32_t profil_scopes_find(const struct die_ranges *scopes, uint64_t address);

#endif
