/* SPDX-License-Identifier: GPL-2.0-only */
/* Inlined functions in the code of a function, by its DWARF entries */
#ifndef PROFIL_RESOLVE_SCOPES_H
#define PROFIL_RESOLVE_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

/**
 * struct scope - a function, or a function that was inlined in it
 * @die: its entry
 * @parent: index of the scope that inlined it; its own for the function
 */
struct scope {
	Dwarf_Die die;
	uint32_t parent;
};

/**
 * struct scope_range - a range of code of a scope
 * @low: address in the DWARF information
 * @high: address after the range
 * @scope: index of the scope
 */
struct scope_range {
	uint64_t low;
	uint64_t high;
	uint32_t scope;
};

/**
 * struct scopes - all scopes of a function
 * @array: scopes, each after its parent; the first is the function
 * @nr: elements of @array
 * @ranges: ranges of all scopes but the first, in the order of @array
 * @nr_ranges: elements of @ranges
 */
struct scopes {
	struct scope *array;
	uint32_t nr;
	struct scope_range *ranges;
	size_t nr_ranges;
};

/* Read the scopes of the function @die. @scopes may have those of another. */
void profil_scopes_read(struct scopes *scopes, Dwarf_Die *die);
void profil_scopes_free(struct scopes *scopes);

/* Index of the innermost scope at @address, in O(n) */
uint32_t profil_scopes_find(const struct scopes *scopes, uint64_t address);

#endif
