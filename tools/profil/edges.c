// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the functions of a file begin and end
 *
 * No single source knows: symbols may be stripped or without a size, unwind
 * tables left out. All that is said anywhere is taken together.
 */
#include <stdlib.h>

#include <gelf.h>

#include "edges.h"
#include "memory.h"

static void add_edge(struct edges *edges, struct edge edge)
{
	if (edges->nr == edges->room) {
		edges->room = edges->room ? 2 * edges->room : 256;
		edges->array = profil_grow(edges->array, edges->room,
					   sizeof(*edges->array));
	}
	edges->array[edges->nr++] = edge;
}

/* Something begins or ends there that is no symbol. */
static void add(struct edges *edges, uint64_t address)
{
	add_edge(edges, (struct edge){ .address = address, .begins = true });
}

static bool is_code(Elf *elf, uint64_t address)
{
	GElf_Phdr segment;
	size_t nr;

	if (!elf || elf_getphdrnum(elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(elf, i, &segment) &&
		    segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
		    address >= segment.p_vaddr &&
		    address - segment.p_vaddr < segment.p_memsz)
			return true;
	return false;
}

static void add_segments(struct edges *edges)
{
	GElf_Phdr segment;
	size_t nr;

	if (elf_getphdrnum(edges->elf, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(edges->elf, i, &segment) ||
		    segment.p_type != PT_LOAD)
			continue;
		add(edges, segment.p_vaddr);
		add(edges, segment.p_vaddr + segment.p_memsz);
	}
}

static void add_sections(struct edges *edges)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(edges->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		add(edges, header.sh_addr);
		add(edges, header.sh_addr + header.sh_size);
	}
}

void profil_edges_read(struct edges *edges, Elf *elf,
		       const struct frames *frames)
{
	*edges = (struct edges){ .elf = elf };
	add(edges, 0);
	if (!elf)
		return;
	add_segments(edges);
	add_sections(edges);
	for (size_t i = 0; i < frames->nr; i++)
		add(edges, frames->starts[i]);
}

static void add_symbol(struct edges *edges, uint64_t address, uint64_t size,
		       const char *name)
{
	struct edge start = { .address = address };
	struct edge end = { .address = address + size, .symbols = -1 };

	if (size) {
		start.name = name;
		start.symbols = 1;
		add_edge(edges, end);
	}
	add_edge(edges, start);
}

/* Whether @symbol has an address of its own */
static bool is_place(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
		return false;
	}
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS;
}

void profil_edges_symbols(struct edges *edges, Dwfl_Module *module,
			  GElf_Addr bias)
{
	int nr = module ? dwfl_module_getsymtab(module) : 0;

	for (int i = 0; i < nr; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name;

		name = dwfl_module_getsym_info(module, i, &symbol, &address,
					       NULL, NULL, NULL);
		if (!name || !*name || !is_place(&symbol))
			continue;
		address -= bias;
		if (is_code(edges->elf, address))
			add_symbol(edges, address, symbol.st_size, name);
	}
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
	edge->symbols += other->symbols;
	if (!edge->name)
		edge->name = other->name;
}

/* What is said of the code up to the next edge depends on all edges before. */
static void look_on(struct edges *edges)
{
	int symbols = 0;

	for (size_t i = 0; i < edges->nr; i++) {
		struct edge *edge = &edges->array[i];

		edge->code = is_code(edges->elf, edge->address);
		symbols += edge->symbols;
		if (symbols != 1)
			edge->name = NULL;
	}
}

void profil_edges_sort(struct edges *edges)
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
	look_on(edges);
}

void profil_edges_free(struct edges *edges)
{
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
