// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boundaries of the functions of a file
 *
 * No single source is complete: symbols may be stripped or have no size, and a
 * file may have no unwind table. The boundaries of all sources are merged.
 */
#include "elf/symbols.h"

/*
 * Start addresses of functions in a stripped file
 *
 * Distributions strip the symbols of functions that a library does not export,
 * but not the table that unwinds exceptions. Its index, .eh_frame_hdr, is a
 * sorted list of the start addresses of functions, so that the samples of one
 * function stay together without a name. All linkers write the same kind, with
 * addresses of 4 bytes relative to the section; others are ignored.
 */

/* Encodings of numbers in the header, DW_EH_PE_* */
#define UDATA4 0x03
#define DATAREL_SDATA4 0x3b
#define SIZE_MASK 0x0f

/* Four bytes, a pointer to .eh_frame, a count; then pairs of addresses */
#define HEADER 12
#define PAIR 8

static bool is_usual(const unsigned char *header, size_t size)
{
	return size >= HEADER && header[0] == 1 &&
	       (header[1] & SIZE_MASK) % 8 == UDATA4 && header[2] == UDATA4 &&
	       header[3] == DATAREL_SDATA4;
}

static void read_pairs(struct boundaries *boundaries,
		       const unsigned char *header, size_t size,
		       uint64_t address)
{
	uint32_t count;

	memcpy(&count, header + 8, sizeof(count));
	if (!count || count > (size - HEADER) / PAIR)
		return;
	boundaries->starts =
		profil_grow(NULL, count, sizeof(*boundaries->starts));
	boundaries->nr_starts = count;
	for (uint32_t i = 0; i < count; i++) {
		int32_t relative;

		memcpy(&relative, header + HEADER + PAIR * i, sizeof(relative));
		boundaries->starts[i] = address + relative;
	}
}

/* Read the table in @segment of @elf, if it is of the usual kind, and the first. */
static void read_starts(struct boundaries *boundaries, Elf *elf,
			const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, segment->p_offset,
					      segment->p_filesz, ELF_T_BYTE);

	if (data && !boundaries->starts && is_usual(data->d_buf, data->d_size))
		read_pairs(boundaries, data->d_buf, data->d_size,
			   segment->p_vaddr);
}

uint64_t profil_boundaries_start(const struct boundaries *boundaries,
				 uint64_t address)
{
	size_t nr =
		ARRAY_UP_TO(boundaries->starts, boundaries->nr_starts, address);

	return nr ? boundaries->starts[nr - 1] : address;
}

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

	for (int i = 0; i < nr; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name;

		name = dwfl_module_getsym_info(module, i, &symbol, &address,
					       NULL, NULL, NULL);
		if (!name || !*name || !has_address(&symbol))
			continue;
		address -= bias;
		ARRAY_ADD(boundaries->symbols, boundaries->nr_symbols,
			  (struct symbol){
				  .address = address,
				  .end = end_of(address, symbol.st_size),
				  .name = name,
				  .binding = binding_of(&symbol),
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

	return compare_numbers(one->address, other->address)	     ?:
		       compare_numbers(one->binding, other->binding) ?:
		       compare_numbers(other->end, one->end)	     ?:
		       compare_numbers((uintptr_t)other->name,
				       (uintptr_t)one->name);
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

	if (symbol->end > symbol->address)
		sweep->open[kind][sweep->nr_open[kind]++] = symbol;
	else
		sweep->label = symbol;
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
	if (!symbol && sweep->label && sweep->label->address >= sweep->covered)
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

static bool is_code(const struct boundaries *boundaries, uint64_t address)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *segment = &boundaries->loads[i];

		if (segment->p_flags & PF_X && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
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
			read_starts(boundaries, elf, segment);
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
	const char *name = NULL;
	size_t names;

	if (!elf_getshdrstrndx(elf, &names))
		name = elf_strptr(elf, names, header->sh_name);
	return name && !strncmp(name, ".plt", 4);
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

static void add_symbols(struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->nr_symbols; i++) {
		const struct symbol *symbol = &boundaries->symbols[i];

		ARRAY_ADD(boundaries->array, boundaries->nr,
			  (struct boundary){ .address = symbol->address });
		if (symbol->end > symbol->address)
			ARRAY_ADD(boundaries->array, boundaries->nr,
				  (struct boundary){ .address = symbol->end });
	}
}

/* A large symbol of data could enclose code. */
static void drop_data(struct boundaries *boundaries)
{
	size_t kept = 0;

	for (size_t i = 0; i < boundaries->nr_symbols; i++)
		if (is_code(boundaries, boundaries->symbols[i].address))
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
		boundary->code = is_code(boundaries, boundary->address);
		boundary->symbol =
			sweep_to(&sweep, boundary->address, boundary->bounds);
	}
	sweep_end(&sweep);
}

void profil_boundaries_read(struct boundaries *boundaries, Elf *elf,
			    Dwfl_Module *module, GElf_Addr bias)
{
	*boundaries = (struct boundaries){ 0 };
	add_bound(boundaries, 0, false);
	if (elf) {
		read_segments(boundaries, elf);
		add_sections(boundaries, elf);
	}
	for (size_t i = 0; i < boundaries->nr_starts; i++)
		ARRAY_ADD(boundaries->array, boundaries->nr,
			  (struct boundary){ boundaries->starts[i],
					     .begins = true });
	read_symbols(boundaries, module, bias);
	drop_data(boundaries);
	ARRAY_SORT(boundaries->symbols, boundaries->nr_symbols, by_preference);
	add_symbols(boundaries);
	ARRAY_SORT(boundaries->array, boundaries->nr, by_address);
	boundaries->nr = ARRAY_JOIN(boundaries->array, boundaries->nr,
				    by_address, merge);
	set_attributes(boundaries);
}

void profil_boundaries_free(struct boundaries *boundaries)
{
	free(boundaries->starts);
	free(boundaries->symbols);
	free(boundaries->loads);
	free(boundaries->array);
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
