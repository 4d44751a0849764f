/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EDGES_H
#define PROFIL_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdwfl.h>
#include <libelf.h>

#include "frames.h"

/**
 * struct edge - an address of a file where one thing ends or another begins
 * @address: it, as a link-time address; up to the next edge all is alike
 * @begins: something begins, even if it has no symbol. What has none and does
 *	not begin belongs to what is before it: it fills a gap.
 * @code: there is code from here on
 * @name: the symbol that begins there, if up to the next edge it is the only one
 * @symbols: symbols with a size that begin there, less those that end there
 */
struct edge {
	uint64_t address;
	bool begins;
	bool code;
	const char *name;
	int symbols;
};

/**
 * struct edges - all edges of a file
 * @array: the edges; ascending, the first at 0, each once, after the sorting
 * @nr: elements of @array
 * @room: allocated elements of @array
 * @elf: the file
 */
struct edges {
	struct edge *array;
	size_t nr;
	size_t room;
	Elf *elf;
};

/* Begin with those that the file @elf and its unwind table give. */
void profil_edges_read(struct edges *edges, Elf *elf,
		       const struct frames *frames);

/* Add those of all symbols of @module, which are off by @bias. */
void profil_edges_symbols(struct edges *edges, Dwfl_Module *module,
			  GElf_Addr bias);

/* Put them in order. */
void profil_edges_sort(struct edges *edges);
void profil_edges_free(struct edges *edges);

/* The index of the last edge at or before @address */
size_t profil_edges_find(const struct edges *edges, uint64_t address);

#endif
