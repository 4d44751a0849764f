// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boundaries of the functions of a file
 *
 * No single source is complete: symbols may be stripped or have no size, and a
 * file may have no unwind table. The boundaries of all sources are merged.
 */
#include <stdlib.h>
#include <string.h>

#include "elf/boundaries.h"
#include "util/memory.h"

static void add_boundary(struct boundaries *boundaries,
			 struct boundary boundary)
{
	if (boundaries->nr == boundaries->room) {
		boundaries->room = boundaries->room ? 2 * boundaries->room :
						      256;
		boundaries->array = profil_grow(boundaries->array,
						boundaries->room,
						sizeof(*boundaries->array));
	}
	boundaries->array[boundaries->nr++] = boundary;
}

/* Boundary of a segment or a section */
static void add_bound(struct boundaries *boundaries, uint64_t address, bool plt)
{
	add_boundary(boundaries, (struct boundary){
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

bool profil_boundaries_link_address(const struct boundaries *boundaries,
				    uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *segment = &boundaries->loads[i];

		if (offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz)
			continue;
		*address = segment->p_vaddr + (offset - segment->p_offset);
		return true;
	}
	return false;
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

		if (!gelf_getphdr(elf, i, segment) ||
		    segment->p_type != PT_LOAD)
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

/* Start of a function, which may have no symbol */
static void add_start(struct boundaries *boundaries, uint64_t address)
{
	add_boundary(boundaries,
		     (struct boundary){ .address = address, .begins = true });
}

static void add_symbols(struct boundaries *boundaries)
{
	for (size_t i = 0; i < boundaries->symtab.nr; i++) {
		const struct symbol *symbol = &boundaries->symtab.array[i];

		add_boundary(boundaries,
			     (struct boundary){ .address = symbol->address });
		if (symbol->end > symbol->address)
			add_boundary(boundaries,
				     (struct boundary){ .address =
								symbol->end });
	}
}

/* A large symbol of data could enclose code. */
static void drop_data(struct boundaries *boundaries)
{
	struct symtab *symtab = &boundaries->symtab;
	size_t kept = 0;

	for (size_t i = 0; i < symtab->nr; i++)
		if (is_code(boundaries, symtab->array[i].address))
			symtab->array[kept++] = symtab->array[i];
	symtab->nr = kept;
}

static int by_address(const void *a, const void *b)
{
	const struct boundary *one = a;
	const struct boundary *other = b;

	return (one->address > other->address) -
	       (one->address < other->address);
}

/* Merge two boundaries of the same address. */
static void merge(struct boundary *boundary, const struct boundary *other)
{
	boundary->begins |= other->begins;
	boundary->bounds |= other->bounds;
	boundary->plt |= other->plt;
}

static void sort(struct boundaries *boundaries)
{
	size_t kept = 0;

	qsort(boundaries->array, boundaries->nr, sizeof(*boundaries->array),
	      by_address);
	for (size_t i = 1; i < boundaries->nr; i++) {
		const struct boundary *boundary = &boundaries->array[i];

		if (boundary->address == boundaries->array[kept].address)
			merge(&boundaries->array[kept], boundary);
		else
			boundaries->array[++kept] = *boundary;
	}
	boundaries->nr = kept + 1;
}

/* The attributes of a range depend on all boundaries before it. */
static void set_attributes(struct boundaries *boundaries)
{
	struct sweep sweep;
	bool plt = false;

	profil_sweep_begin(&sweep, &boundaries->symtab);
	for (size_t i = 0; i < boundaries->nr; i++) {
		struct boundary *boundary = &boundaries->array[i];

		if (boundary->bounds)
			plt = boundary->plt;
		boundary->plt = plt;
		boundary->code = is_code(boundaries, boundary->address);
		boundary->symbol = profil_sweep_to(&sweep, boundary->address,
						   boundary->bounds);
	}
	profil_sweep_end(&sweep);
}

void profil_boundaries_read(struct boundaries *boundaries, Elf *elf,
			    const struct eh_frame *eh_frame,
			    Dwfl_Module *module, GElf_Addr bias)
{
	*boundaries = (struct boundaries){ 0 };
	add_bound(boundaries, 0, false);
	if (elf) {
		read_segments(boundaries, elf);
		add_sections(boundaries, elf);
	}
	for (size_t i = 0; i < eh_frame->nr; i++)
		add_start(boundaries, eh_frame->starts[i]);
	profil_symtab_read(&boundaries->symtab, module, bias);
	drop_data(boundaries);
	profil_symtab_sort(&boundaries->symtab);
	add_symbols(boundaries);
	sort(boundaries);
	set_attributes(boundaries);
}

void profil_boundaries_free(struct boundaries *boundaries)
{
	profil_symtab_free(&boundaries->symtab);
	free(boundaries->loads);
	free(boundaries->array);
}

size_t profil_boundaries_find(const struct boundaries *boundaries,
			      uint64_t address)
{
	size_t first = 0;
	size_t last = boundaries->nr;

	while (last - first > 1) {
		size_t middle = first + (last - first) / 2;

		if (boundaries->array[middle].address <= address)
			first = middle;
		else
			last = middle;
	}
	return first;
}
