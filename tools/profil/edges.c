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

static void add(struct edges *edges, uint64_t address, bool begins)
{
	if (edges->nr == edges->room) {
		edges->room = edges->room ? 2 * edges->room : 256;
		edges->array = profil_grow(edges->array, edges->room,
					   sizeof(*edges->array));
	}
	edges->array[edges->nr++] = (struct edge){
		.address = address,
		.begins = begins,
	};
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
		add(edges, segment.p_vaddr, true);
		add(edges, segment.p_vaddr + segment.p_memsz, true);
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
		add(edges, header.sh_addr, true);
		add(edges, header.sh_addr + header.sh_size, true);
	}
}

void profil_edges_read(struct edges *edges, Elf *elf,
		       const struct frames *frames)
{
	*edges = (struct edges){ .elf = elf };
	add(edges, 0, true);
	if (!elf)
		return;
	add_segments(edges);
	add_sections(edges);
	for (size_t i = 0; i < frames->nr; i++)
		add(edges, frames->starts[i], true);
}

void profil_edges_symbols(struct edges *edges, Dwfl_Module *module,
			  GElf_Addr bias)
{
	int nr = module ? dwfl_module_getsymtab(module) : 0;

	for (int i = 0; i < nr; i++) {
		GElf_Addr address;
		GElf_Sym symbol;

		if (!dwfl_module_getsym_info(module, i, &symbol, &address, NULL,
					     NULL, NULL) ||
		    !is_code(edges->elf, address - bias))
			continue;
		add(edges, address - bias, false);
		add(edges, address - bias + symbol.st_size, false);
	}
}

static int by_address(const void *a, const void *b)
{
	const struct edge *one = a;
	const struct edge *other = b;

	return (one->address > other->address) -
	       (one->address < other->address);
}

void profil_edges_sort(struct edges *edges)
{
	size_t kept = 0;

	qsort(edges->array, edges->nr, sizeof(*edges->array), by_address);
	for (size_t i = 1; i < edges->nr; i++) {
		const struct edge *edge = &edges->array[i];

		if (edge->address == edges->array[kept].address)
			edges->array[kept].begins |= edge->begins;
		else
			edges->array[++kept] = *edge;
	}
	edges->nr = kept + 1;
	for (size_t i = 0; i < edges->nr; i++)
		edges->array[i].code =
			is_code(edges->elf, edges->array[i].address);
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
