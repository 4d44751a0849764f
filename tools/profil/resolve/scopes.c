// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inlined functions in the code of a function
 *
 * The entries are read once for all places of a function, because a large
 * function has thousands, and libdw would decode them again for each place.
 */
#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "resolve/scopes.h"
#include "util/memory.h"

/* Entries are nested no deeper in files of compilers. */
#define MAX_DEPTH 512

/* Upper limit of scopes and ranges of a function */
#define MAX_NR 0x1000000

/* Room for one element more than @nr; the room is a power of two. */
static void *with_room(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return profil_grow(array, nr ? 2 * nr : 1, size);
}

static uint32_t add_scope(struct scopes *scopes, const Dwarf_Die *die,
			  uint32_t parent)
{
	scopes->array =
		with_room(scopes->array, scopes->nr, sizeof(*scopes->array));
	scopes->array[scopes->nr] = (struct scope){ *die, parent };
	return scopes->nr++;
}

static void add_ranges(struct scopes *scopes, Dwarf_Die *die, uint32_t scope)
{
	struct scope_range range = { .scope = scope };
	Dwarf_Addr base;
	ptrdiff_t at = 0;

	while (scopes->nr_ranges < MAX_NR &&
	       (at = dwarf_ranges(die, at, &base, &range.low, &range.high)) >
		       0) {
		scopes->ranges = with_room(scopes->ranges, scopes->nr_ranges,
					   sizeof(*scopes->ranges));
		scopes->ranges[scopes->nr_ranges++] = range;
	}
}

/* Entries that may contain inlined functions */
static bool has_code(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	}
	return false;
}

static void read_children(struct scopes *scopes, Dwarf_Die *die,
			  uint32_t parent, int depth)
{
	Dwarf_Die child;

	if (depth == MAX_DEPTH || dwarf_child(die, &child))
		return;
	do {
		uint32_t scope = parent;

		if (!has_code(&child) || scopes->nr >= MAX_NR)
			continue;
		if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
			scope = add_scope(scopes, &child, parent);
			add_ranges(scopes, &child, scope);
		}
		read_children(scopes, &child, scope, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

void profil_scopes_read(struct scopes *scopes, Dwarf_Die *die)
{
	profil_scopes_free(scopes);
	add_scope(scopes, die, 0);
	read_children(scopes, die, 0, 0);
}

void profil_scopes_free(struct scopes *scopes)
{
	free(scopes->array);
	free(scopes->ranges);
	*scopes = (struct scopes){ 0 };
}

/* The ranges of a scope follow those of its parent. */
uint32_t profil_scopes_find(const struct scopes *scopes, uint64_t address)
{
	uint32_t found = 0;

	for (size_t i = 0; i < scopes->nr_ranges; i++) {
		const struct scope_range *range = &scopes->ranges[i];

		if (address >= range->low && address < range->high)
			found = range->scope;
	}
	return found;
}
