// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the functions of a file begin and end
 *
 * No single source knows: symbols may be stripped or without a size, unwind
 * tables left out. All that is said anywhere is taken together.
 */
#include <stdlib.h>
#include <string.h>

#include "elf/boundaries.h"
#include "util/memory.h"

static void add_edge(struct edges *edges, struct edge edge)
{
	if (edges->nr == edges->room) {
		edges->room = edges->room ? 2 * edges->room : 256;
		edges->array = profil_grow(edges->array, edges->room,
					   sizeof(*edges->array));
	}
	edges->array[edges->nr++] = edge;
}

/* A segment or a section begins or ends there. */
static void add_bound(struct edges *edges, uint64_t address, bool plt)
{
	add_edge(edges, (struct edge){
				.address = address,
				.begins = true,
				.bounds = true,
				.plt = plt,
			});
}

static bool is_code(const struct edges *edges, uint64_t address)
{
	for (size_t i = 0; i < edges->nr_loads; i++) {
		const GElf_Phdr *segment = &edges->loads[i];

		if (segment->p_flags & PF_X && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
}

bool profil_edges_link_address(const struct edges *edges, uint64_t offset,
			       uint64_t *address)
{
	for (size_t i = 0; i < edges->nr_loads; i++) {
		const GElf_Phdr *segment = &edges->loads[i];

		if (offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz)
			continue;
		*address = segment->p_vaddr + (offset - segment->p_offset);
		return true;
	}
	return false;
}

static void read_segments(struct edges *edges, Elf *elf)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return;
	edges->loads = profil_grow(NULL, nr + 1, sizeof(*edges->loads));
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr *segment = &edges->loads[edges->nr_loads];

		if (!gelf_getphdr(elf, i, segment) ||
		    segment->p_type != PT_LOAD)
			continue;
		edges->nr_loads++;
		add_bound(edges, segment->p_vaddr, false);
		add_bound(edges, segment->p_vaddr + segment->p_memsz, false);
	}
}

/* The linker's own code, which calls into other objects, has no symbols. */
static bool is_plt(Elf *elf, const GElf_Shdr *header)
{
	const char *name = NULL;
	size_t names;

	if (!elf_getshdrstrndx(elf, &names))
		name = elf_strptr(elf, names, header->sh_name);
	return name && !strncmp(name, ".plt", 4);
}

static void add_sections(struct edges *edges, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		add_bound(edges, header.sh_addr, is_plt(elf, &header));
		add_bound(edges, header.sh_addr + header.sh_size, false);
	}
}

/* Something begins there that may have no symbol. */
static void add_start(struct edges *edges, uint64_t address)
{
	add_edge(edges, (struct edge){ .address = address, .begins = true });
}

static void add_symbols(struct edges *edges)
{
	for (size_t i = 0; i < edges->symtab.nr; i++) {
		const struct symbol *symbol = &edges->symtab.array[i];

		add_edge(edges, (struct edge){ .address = symbol->address });
		if (symbol->end > symbol->address)
			add_edge(edges,
				 (struct edge){ .address = symbol->end });
	}
}

/* Symbols of what is not code would be found around code. */
static void drop_data(struct edges *edges)
{
	struct symtab *symtab = &edges->symtab;
	size_t kept = 0;

	for (size_t i = 0; i < symtab->nr; i++)
		if (is_code(edges, symtab->array[i].address))
			symtab->array[kept++] = symtab->array[i];
	symtab->nr = kept;
}

static int by_address(const void *a, const void *b)
{
	const struct edge *one = a;
	const struct edge *other = b;

	return (one->address > other->address) -
	       (one->address < other->address);
}

/* One edge from two at the same address */
static void merge(struct edge *edge, const struct edge *other)
{
	edge->begins |= other->begins;
	edge->bounds |= other->bounds;
	edge->plt |= other->plt;
}

static void sort(struct edges *edges)
{
	size_t kept = 0;

	qsort(edges->array, edges->nr, sizeof(*edges->array), by_address);
	for (size_t i = 1; i < edges->nr; i++) {
		const struct edge *edge = &edges->array[i];

		if (edge->address == edges->array[kept].address)
			merge(&edges->array[kept], edge);
		else
			edges->array[++kept] = *edge;
	}
	edges->nr = kept + 1;
}

/* What is said of the code up to the next edge depends on all edges before. */
static void look_on(struct edges *edges)
{
	struct sweep sweep;
	bool plt = false;

	profil_sweep_begin(&sweep, &edges->symtab);
	for (size_t i = 0; i < edges->nr; i++) {
		struct edge *edge = &edges->array[i];

		if (edge->bounds)
			plt = edge->plt;
		edge->plt = plt;
		edge->code = is_code(edges, edge->address);
		edge->symbol =
			profil_sweep_to(&sweep, edge->address, edge->bounds);
	}
	profil_sweep_end(&sweep);
}

void profil_edges_read(struct edges *edges, Elf *elf,
		       const struct frames *frames, Dwfl_Module *module,
		       GElf_Addr bias)
{
	*edges = (struct edges){ 0 };
	add_bound(edges, 0, false);
	if (elf) {
		read_segments(edges, elf);
		add_sections(edges, elf);
	}
	for (size_t i = 0; i < frames->nr; i++)
		add_start(edges, frames->starts[i]);
	profil_symtab_read(&edges->symtab, module, bias);
	drop_data(edges);
	profil_symtab_sort(&edges->symtab);
	add_symbols(edges);
	sort(edges);
	look_on(edges);
}

void profil_edges_free(struct edges *edges)
{
	profil_symtab_free(&edges->symtab);
	free(edges->loads);
	free(edges->array);
}

size_t profil_edges_find(const struct edges *edges, uint64_t address)
{
	size_t first = 0;
	size_t last = edges->nr;

	while (last - first > 1) {
		size_t middle = first + (last - first) / 2;

		if (edges->array[middle].address <= address)
			first = middle;
		else
			last = middle;
	}
	return first;
}
