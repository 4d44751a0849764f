// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boundaries of the functions of a file
 *
 * No single source is complete: symbols may be stripped or have no size, and a
 * file may have no unwind table. The boundaries of all sources are merged.
 */
#include "elf/boundaries.h"
#include "elf/gopclntab.h"

/*
 * Sorted symbols of a file
 *
 * libdwfl searches all symbols for each address. Here symbols are sorted once,
 * and one sweep over the addresses finds the symbol of each range of code, by
 * the preferences of libdwfl.
 */

/**
 * struct sweep - a walk through the addresses of a file, from low to high
 * @boundaries: the sorted symbols
 * @next: index of the first symbol above the address
 * @open: stacks of local and of other symbols with a size, the innermost last,
 *	that begin at or below the address and may end above it
 * @nr_open: elements of each stack
 * @label: last symbol without a size at or below the address, or NULL
 * @covered: highest end of a symbol at or below the address
 */
struct sweep {
	const struct boundaries *boundaries;
	size_t next;
	const struct symbol **open[2];
	size_t nr_open[2];
	const struct symbol *label;
	uint64_t covered;
};

enum { BINDING_LOCAL, BINDING_WEAK, BINDING_GLOBAL };

static int binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return BINDING_LOCAL;
	case STB_WEAK:
		return BINDING_WEAK;
	}
	return BINDING_GLOBAL;
}

Elf_Scn *profil_section_find(Elf *elf, uint32_t type, const char *name,
			     GElf_Shdr *head)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, head) &&
		    (name ? !strcmp(section_name(elf, head), name) :
			    head->sh_type == type))
			break;
	return section;
}

/* @symbol names an address of the file. */
static bool has_address(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
		return false;
	}
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS;
}

/* A size beyond the last address is ignored. */
static uint64_t end_of(uint64_t address, uint64_t size)
{
	return size > UINT64_MAX - address ? address : address + size;
}

/*
 * Add the symbols of @module that have an address, from .symtab or .dynsym of
 * the file or of its separate debugging information. @module may be NULL.
 */
static void read_symbols(struct boundaries *boundaries, Dwfl_Module *module,
			 GElf_Addr bias)
{
	int nr = module ? dwfl_module_getsymtab(module) : 0;
	bool has_others = false;
	Elf *last = NULL;
	GElf_Shdr head;

	for (int i = 0; i < nr; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name;
		uint64_t end;
		Elf *elf;

		name = dwfl_module_getsym_info(module, i, &symbol, &address,
					       NULL, &elf, NULL);
		if (!name || !*name || !has_address(&symbol))
			continue;
		if (elf != last)
			has_others = profil_section_find(elf, SHT_SYMTAB, NULL,
							 &head);
		last = elf;
		address -= bias;
		end = end_of(address, symbol.st_size);
		ARRAY_ADD(boundaries->symbols, boundaries->nr_symbols,
			  (struct symbol){
				  .address = address,
				  .end = end,
				  .name = name,
				  .binding = binding_of(&symbol),
				  .is_label = end == address,
				  .has_others = has_others,
			  });
	}
}

/*
 * Symbols of one address are sorted by rising preference: the stronger, then the
 * shorter, then the first in the file, whose name has the lower address.
 */
static int by_preference(const void *a, const void *b)
{
	const struct symbol *one = a;
	const struct symbol *other = b;

	return compare_numbers(one->binding, other->binding) ?:
		       compare_numbers(other->end, one->end) ?:
		       compare_numbers((uintptr_t)other->name,
				       (uintptr_t)one->name);
}

static void sort_symbols(struct boundaries *boundaries)
{
	struct symbol *symbols = boundaries->symbols;
	size_t nr = boundaries->nr_symbols, end;

	ARRAY_SORT_NUMBERS(symbols, nr);
	for (size_t i = 0; i < nr; i = end) {
		end = i + 1;
		while (end < nr && symbols[end].address == symbols[i].address)
			end++;
		if (end - i > 1)
			ARRAY_SORT(symbols + i, end - i, by_preference);
	}
}

static void sweep_begin(struct sweep *sweep,
			const struct boundaries *boundaries)
{
	*sweep = (struct sweep){ .boundaries = boundaries };
	for (int i = 0; i < 2; i++)
		sweep->open[i] = profil_grow(NULL, boundaries->nr_symbols + 1,
					     sizeof(*sweep->open[i]));
}

static void sweep_end(struct sweep *sweep)
{
	for (int i = 0; i < 2; i++)
		free(sweep->open[i]);
}

static void reach(struct sweep *sweep, const struct symbol *symbol)
{
	int kind = symbol->binding != BINDING_LOCAL;

	if (symbol->is_label) {
		sweep->label = symbol;
		return;
	}
	sweep->open[kind][sweep->nr_open[kind]++] = symbol;
	if (symbol->end > sweep->covered)
		sweep->covered = symbol->end;
}

/* Innermost symbol of @kind that ends above @address */
static const struct symbol *innermost(struct sweep *sweep, int kind,
				      uint64_t address)
{
	const struct symbol **open = sweep->open[kind];

	while (sweep->nr_open[kind] &&
	       open[sweep->nr_open[kind] - 1]->end <= address)
		sweep->nr_open[kind]--;
	return sweep->nr_open[kind] ? open[sweep->nr_open[kind] - 1] : NULL;
}

/*
 * Advance to @address, which is not below the last one, and return its symbol,
 * or NULL. A global or weak symbol is preferred to a local one, and an inner one
 * to an outer one. A symbol without a size ends at a symbol with one, or at the
 * boundary of a section, which @bounds marks.
 */
static const struct symbol *sweep_to(struct sweep *sweep, uint64_t address,
				     bool bounds)
{
	const struct boundaries *boundaries = sweep->boundaries;
	const struct symbol *symbol;

	if (bounds)
		sweep->label = NULL;
	while (sweep->next < boundaries->nr_symbols &&
	       boundaries->symbols[sweep->next].address <= address)
		reach(sweep, &boundaries->symbols[sweep->next++]);
	symbol = innermost(sweep, 1, address);
	if (!symbol)
		symbol = innermost(sweep, 0, address);
	if (!symbol && sweep->label && sweep->label->end > address &&
	    sweep->label->address >= sweep->covered)
		symbol = sweep->label;
	return symbol;
}

/* Boundary of a segment or a section */
static void add_bound(struct boundaries *boundaries, uint64_t address, bool plt)
{
	ARRAY_ADD(boundaries->array, boundaries->nr,
		  (struct boundary){
			  .address = address,
			  .begins = true,
			  .bounds = true,
			  .plt = plt,
		  });
}

uint64_t profil_boundaries_link_address(const struct boundaries *boundaries,
					uint64_t offset)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *segment = &boundaries->loads[i];

		if (offset >= segment->p_offset &&
		    offset - segment->p_offset < segment->p_filesz)
			return segment->p_vaddr + (offset - segment->p_offset);
	}
	return offset;
}

static void read_segments(struct boundaries *boundaries, Elf *elf)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return;
	boundaries->loads =
		profil_grow(NULL, nr + 1, sizeof(*boundaries->loads));
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr *segment = &boundaries->loads[boundaries->nr_loads];

		if (!gelf_getphdr(elf, i, segment))
			continue;
		if (segment->p_type == PT_GNU_EH_FRAME)
			profil_unwind_read(&boundaries->unwind, elf, segment);
		if (segment->p_type != PT_LOAD)
			continue;
		boundaries->nr_loads++;
		add_bound(boundaries, segment->p_vaddr, false);
		add_bound(boundaries, segment->p_vaddr + segment->p_memsz,
			  false);
	}
}

/* A procedure linkage table, made by the linker, has no symbols. */
static bool is_plt(Elf *elf, const GElf_Shdr *header)
{
	return !strncmp(section_name(elf, header), ".plt", 4);
}

static void add_sections(struct boundaries *boundaries, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		add_bound(boundaries, header.sh_addr, is_plt(elf, &header));
		add_bound(boundaries, header.sh_addr + header.sh_size, false);
	}
}

static void add_starts(struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->unwind.nr; i++)
		ARRAY_ADD(boundaries->array, boundaries->nr,
			  (struct boundary){
				  .address = boundaries->unwind.starts[i],
				  .begins = true,
			  });
}

/* End of the section or segment of @address; the boundaries so far are of these. */
static uint64_t end_of_section(const struct boundaries *boundaries,
			       uint64_t address)
{
	uint64_t end = UINT64_MAX;

	for (size_t i = 0; i < boundaries->nr; i++)
		if (boundaries->array[i].address > address &&
		    boundaries->array[i].address < end)
			end = boundaries->array[i].address;
	return end;
}

/*
 * End of the code that a label at @address may name: that of its function in the unwind
 * table, or else the start of the next function there. Without any, other labels end
 * it, if @has_others; otherwise no more than the first byte is known to be its own.
 */
static uint64_t end_of_label(const struct boundaries *boundaries,
			     uint64_t address, bool has_others)
{
	const struct unwind *unwind = &boundaries->unwind;
	size_t nr = ARRAY_UP_TO(unwind->starts, unwind->nr, address);
	uint64_t next = nr < unwind->nr ? unwind->starts[nr] : UINT64_MAX;
	uint64_t end = nr ? profil_unwind_end(unwind, nr - 1) : 0;

	if (end > address)
		return end;
	if (has_others || next < end_of_section(boundaries, address))
		return next;
	return address + 1;
}

static void end_labels(struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->nr_symbols; i++) {
		struct symbol *symbol = &boundaries->symbols[i];

		if (symbol->is_label)
			symbol->end = end_of_label(boundaries, symbol->address,
						   symbol->has_others);
	}
}

static void add_symbols(struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->nr_symbols; i++) {
		const struct symbol *symbol = &boundaries->symbols[i];

		ARRAY_ADD(boundaries->array, boundaries->nr,
			  (struct boundary){ .address = symbol->address });
		ARRAY_ADD(boundaries->array, boundaries->nr,
			  (struct boundary){ .address = symbol->end,
					     .begins = symbol->is_label });
	}
}

/* A large symbol of data could enclose code. */
static void drop_data(struct boundaries *boundaries)
{
	size_t kept = 0;

	for (size_t i = 0; i < boundaries->nr_symbols; i++)
		if (profil_boundaries_is_code(boundaries,
					      boundaries->symbols[i].address))
			boundaries->symbols[kept++] = boundaries->symbols[i];
	boundaries->nr_symbols = kept;
}

static int by_address(const void *a, const void *b)
{
	const struct boundary *one = a;
	const struct boundary *other = b;

	return compare_numbers(one->address, other->address);
}

/* Merge two boundaries of the same address. */
static void merge(void *to, const void *from)
{
	struct boundary *boundary = to;
	const struct boundary *other = from;

	boundary->begins |= other->begins;
	boundary->bounds |= other->bounds;
	boundary->plt |= other->plt;
}

/* The attributes of a range depend on all boundaries before it. */
static void set_attributes(struct boundaries *boundaries)
{
	struct sweep sweep;
	bool plt = false;

	sweep_begin(&sweep, boundaries);
	for (size_t i = 0; i < boundaries->nr; i++) {
		struct boundary *boundary = &boundaries->array[i];

		if (boundary->bounds)
			plt = boundary->plt;
		boundary->plt = plt;
		boundary->code = profil_boundaries_is_code(boundaries,
							   boundary->address);
		boundary->symbol =
			sweep_to(&sweep, boundary->address, boundary->bounds);
	}
	sweep_end(&sweep);
}

void profil_boundaries_read(struct boundaries *boundaries, Elf *elf,
			    Dwfl_Module *module, GElf_Addr bias)
{
	GElf_Shdr head;

	*boundaries = (struct boundaries){ 0 };
	add_bound(boundaries, 0, false);
	if (elf) {
		read_segments(boundaries, elf);
		add_sections(boundaries, elf);
	}
	read_symbols(boundaries, module, bias);
	if (elf && !profil_section_find(elf, SHT_SYMTAB, NULL, &head))
		profil_go_functions_read(boundaries, elf);
	drop_data(boundaries);
	sort_symbols(boundaries);
	end_labels(boundaries);
	add_symbols(boundaries);
	add_starts(boundaries);
	ARRAY_SORT_NUMBERS(boundaries->array, boundaries->nr);
	boundaries->nr = ARRAY_JOIN(boundaries->array, boundaries->nr,
				    by_address, merge);
	set_attributes(boundaries);
}

void profil_boundaries_free(struct boundaries *boundaries)
{
	free(boundaries->unwind.starts);
	free(boundaries->symbols);
	free(boundaries->loads);
	free(boundaries->array);
}

uint64_t profil_boundaries_start(const struct boundaries *boundaries,
				 uint64_t address)
{
	const struct unwind *unwind = &boundaries->unwind;
	size_t nr = ARRAY_UP_TO(unwind->starts, unwind->nr, address);
	uint64_t start, end;

	if (!nr)
		return address;
	end = profil_unwind_end(unwind, nr - 1);
	if (end > address)
		return unwind->starts[nr - 1];
	nr = profil_boundaries_find(boundaries, address);
	start = boundaries->array[nr].address;
	return start > end ? start : end;
}

uint64_t profil_boundaries_end(const struct boundaries *boundaries,
			       uint64_t address)
{
	size_t i = profil_boundaries_find(boundaries, address) + 1;

	for (; i < boundaries->nr; i++) {
		const struct boundary *boundary = &boundaries->array[i];

		if (boundary->begins || boundary->symbol || !boundary->code)
			return boundary->address;
	}
	return address;
}

size_t profil_boundaries_find(const struct boundaries *boundaries,
			      uint64_t address)
{
	return ARRAY_UP_TO(boundaries->array, boundaries->nr, address) - 1;
}
