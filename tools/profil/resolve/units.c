// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compilation units of a file, and the functions in each
 *
 * A file may have gigabytes of DWARF information, of which only units with
 * places are read, each once if the places ascend. GCC has a table from
 * addresses to units, .debug_aranges; for other compilers the ranges in the
 * first entries of all units replace it.
 */
#include <dwarf.h>

#include "resolve/units.h"

/* Entries are nested no deeper in files of compilers. */
#define MAX_DEPTH 512

/* Upper limit of ranges */
#define MAX_NR 0x1000000

static void add_ranges(struct die_ranges *ranges, Dwarf_Die *die,
		       uint32_t parent)
{
	struct die_range range = { .die = *die, .parent = parent };
	Dwarf_Addr base;
	ptrdiff_t at = 0;

	while (ranges->nr < MAX_NR &&
	       (at = dwarf_ranges(die, at, &base, &range.low, &range.high)) > 0)
		ARRAY_ADD(ranges->array, ranges->nr, range);
}

static int by_address(const void *a, const void *b)
{
	const struct die_range *one = a, *other = b;

	return compare_numbers(one->low, other->low) ?:
		       compare_numbers(one->high, other->high);
}

void profil_ranges_free(struct die_ranges *ranges)
{
	free(ranges->array);
	*ranges = (struct die_ranges){ 0 };
}

/*
 * Ranges of discarded functions
 *
 * A linker that leaves out a function, as by --gc-sections or for another one of the same
 * name, lets its DWARF entry begin at 0, for example. In a file that is loaded at 0, such
 * an entry may go over the code of others.
 */

static void read_code(struct units *units, Elf *elf, uint64_t bias)
{
	size_t nr = 0;

	if (!elf || elf_getphdrnum(elf, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(elf, i, &segment) &&
		    segment.p_type == PT_LOAD && segment.p_flags & PF_X)
			ARRAY_ADD(units->code.array, units->code.nr,
				  (struct die_range){
					  .low = segment.p_vaddr + bias,
					  .high = segment.p_vaddr + bias +
						  segment.p_memsz,
				  });
	}
}

static bool is_code(const struct units *units, uint64_t address)
{
	for (size_t i = 0; i < units->code.nr; i++)
		if (address >= units->code.array[i].low &&
		    address < units->code.array[i].high)
			return true;
	return !units->code.nr;
}

/* Sort @ranges, and move those of discarded functions to @discarded. */
static void sort_out(const struct units *units, struct die_ranges *ranges,
		     struct die_ranges *discarded)
{
	size_t kept = 0;

	profil_ranges_free(discarded);
	for (size_t i = 0; i < ranges->nr; i++) {
		const struct die_range range = ranges->array[i];

		if (is_code(units, range.low))
			ranges->array[kept++] = range;
		else
			ARRAY_ADD(discarded->array, discarded->nr, range);
	}
	ranges->nr = kept;
	ARRAY_SORT(ranges->array, ranges->nr, by_address);
}

bool profil_units_discarded(const struct units *units, uint64_t address,
			    Dwarf_Die *function)
{
	for (size_t i = 0; i < units->discarded.nr; i++) {
		const struct die_range *range = &units->discarded.array[i];

		*function = range->die;
		if (range->low <= address && address < range->high)
			return true;
	}
	return false;
}

/* Last range that begins at or below @address, if it contains the address */
static const struct die_range *find_range(const struct die_ranges *ranges,
					  uint64_t address)
{
	size_t nr = ARRAY_UP_TO(ranges->array, ranges->nr, address);

	if (!nr || ranges->array[nr - 1].high <= address)
		return NULL;
	return &ranges->array[nr - 1];
}

void profil_units_begin(struct units *units, struct symbols *symbols,
			uint64_t *bias)
{
	*units = (struct units){ 0 };
	if (!symbols)
		return;
	units->dwarf = profil_symbols_dwarf(symbols, bias);
	units->path = profil_symbols_dwarf_path(symbols);
	read_code(units, symbols->elf, *bias);
}

void profil_units_end(struct units *units)
{
	profil_ranges_free(&units->code);
	profil_ranges_free(&units->all);
	profil_ranges_free(&units->functions);
	profil_ranges_free(&units->discarded);
}

static void read_all(struct units *units)
{
	struct die_ranges discarded = { 0 };
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die unit;
	uint8_t type;

	units->is_read = true;
	while (!dwarf_get_units(units->dwarf, cu, &cu, &version, &type, &unit,
				NULL))
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_ranges(&units->all, &unit, 0);
	sort_out(units, &units->all, &discarded);
	profil_ranges_free(&discarded);
}

/* The table may have ranges of discarded functions, too. */
static bool find_in_table(const struct units *units, uint64_t address,
			  Dwarf_Die *unit)
{
	Dwarf_Arange *range;
	Dwarf_Aranges *table;
	Dwarf_Addr low;
	Dwarf_Off at;
	size_t nr;

	if (dwarf_getaranges(units->dwarf, &table, &nr))
		return false;
	range = dwarf_getarange_addr(table, address);
	return range && !dwarf_getarangeinfo(range, &low, NULL, &at) &&
	       is_code(units, low) && dwarf_offdie(units->dwarf, at, unit);
}

bool profil_units_find(struct units *units, uint64_t address, Dwarf_Die *unit)
{
	const struct die_range *range;

	if (!units->dwarf)
		return false;
	if (find_in_table(units, address, unit))
		return true;
	if (!units->is_read)
		read_all(units);
	range = find_range(&units->all, address);
	if (range)
		*unit = range->die;
	return range;
}

/* Entries that may contain functions: of C++ and of Rust, also in types */
static bool may_have_functions(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return true;
	}
	return false;
}

/* Nested functions of C, and members of local classes */
static bool is_block(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static void read_functions(struct units *units, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;

	if (depth == MAX_DEPTH || dwarf_child(die, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram)
			add_ranges(&units->functions, &child, 0);
		if (may_have_functions(&child) ||
		    (units->has_nested && is_block(&child)))
			read_functions(units, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static void read_unit(struct units *units, const Dwarf_Die *unit,
		      bool with_nested)
{
	Dwarf_Die full;

	units->is_alone |= !profil_split_unit_of(*unit, units->path, &full);
	profil_ranges_free(&units->functions);
	units->unit = *unit;
	units->has_nested = with_nested;
	read_functions(units, &full, 0);
	sort_out(units, &units->functions, &units->discarded);
}

/* Blocks of all functions are many, and are read if a place needs them. */
bool profil_units_function(struct units *units, const Dwarf_Die *unit,
			   uint64_t address, Dwarf_Die *function)
{
	const struct die_range *range;

	if (units->unit.addr != unit->addr)
		read_unit(units, unit, false);
	range = find_range(&units->functions, address);
	if (!range && !units->has_nested) {
		read_unit(units, unit, true);
		range = find_range(&units->functions, address);
	}
	if (range)
		*function = range->die;
	return range;
}

/*
 * Inlined functions in the code of a function
 *
 * The entries are read once for all places of a function, because a large
 * function has thousands, and libdw would decode them again for each place.
 */

/* Add an inlined function, which may have no range; the index of one of it */
static uint32_t add_scope(struct die_ranges *scopes, Dwarf_Die *die,
			  uint32_t parent)
{
	size_t index = scopes->nr;

	add_ranges(scopes, die, parent);
	if (scopes->nr == index)
		ARRAY_ADD(scopes->array, scopes->nr,
			  (struct die_range){ .die = *die, .parent = parent });
	return index;
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

static void read_children(struct die_ranges *scopes, Dwarf_Die *die,
			  uint32_t parent, int depth)
{
	Dwarf_Die child;

	if (depth == MAX_DEPTH || dwarf_child(die, &child))
		return;
	do {
		uint32_t scope = parent;

		if (!has_code(&child) || scopes->nr >= MAX_NR)
			continue;
		if (dwarf_tag(&child) == DW_TAG_inlined_subroutine)
			scope = add_scope(scopes, &child, parent);
		read_children(scopes, &child, scope, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

void profil_scopes_read(struct die_ranges *scopes, Dwarf_Die *die)
{
	profil_ranges_free(scopes);
	ARRAY_ADD(scopes->array, scopes->nr, (struct die_range){ .die = *die });
	read_children(scopes, die, 0, 0);
}

/* The ranges of a scope follow those of its parent. */
uint32_t profil_scopes_find(const struct die_ranges *scopes, uint64_t address)
{
	uint32_t found = 0;

	for (size_t i = 0; i < scopes->nr; i++) {
		const struct die_range *range = &scopes->array[i];

		if (address >= range->low && address < range->high)
			found = i;
	}
	return found;
}
