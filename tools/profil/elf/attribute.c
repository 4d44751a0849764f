// SPDX-License-Identifier: GPL-2.0-only
/* Which function a sample or a call belongs to */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/attribute.h"
#include "elf/function_name.h"
#include "util/exit_status.h"
#include "util/memory.h"

/* No kind of file has names in brackets: no function of it is called that. */
#define OUTSIDE "[outside]"

static void check(const struct functions *functions, unsigned int word)
{
	unsigned int own = profil_symbols_word(functions->symbols);

	if (access(functions->path, R_OK))
		err(EXIT_PROFIL, "cannot read the program %s (name it with -e)",
		    functions->path);
	if (!own)
		errx(EXIT_PROFIL,
		     "%s is no program or library: name the right one with -e",
		     functions->path);
	if (own != word)
		errx(EXIT_PROFIL,
		     "%s has addresses of %u bits and the counts of %u: name the right program with -e",
		     functions->path, 8 * own, 8 * word);
}

void profil_functions_open(struct functions *functions, const char *path,
			   unsigned int word)
{
	size_t size;

	*functions = (struct functions){
		.path = path,
		.symbols = profil_symbols_open(path, NULL),
		.outside.name = OUTSIDE,
	};
	functions->outside.owner = &functions->outside;
	check(functions, word);
	functions->edges = profil_symbols_edges(functions->symbols);
	size = functions->edges->nr * sizeof(*functions->array);
	functions->array = profil_grow(NULL, 1, size);
	memset(functions->array, 0, size);
}

void profil_functions_close(struct functions *functions)
{
	for (size_t i = 0; i < functions->edges->nr; i++)
		free(functions->array[i].name);
	free(functions->array);
	profil_symbols_close(functions->symbols);
}

/* The function that begins at @place, or is all code of its name */
static struct function *begin(struct functions *functions,
			      const struct place *place)
{
	size_t at = profil_edges_find(functions->edges, place->address);
	struct function *function = &functions->array[at];

	if (!function->name)
		function->name = profil_name(functions->path, place);
	return function;
}

/* That of the code from edge @at on; NULL if it is that of the code before */
static struct function *resolve(struct functions *functions, size_t at)
{
	const struct edge *edge = &functions->edges->array[at];
	struct place place;

	if (!edge->code)
		return &functions->outside;
	place = profil_symbols_at(functions->symbols, edge->address);
	if (place.name)
		return begin(functions, &place);
	place.address = edge->address;
	return edge->begins ? begin(functions, &place) : NULL;
}

static struct function *owner(struct functions *functions, size_t at)
{
	struct function *found = NULL;
	size_t from = at + 1;

	/* At the first edge something begins. */
	while (!found) {
		from--;
		found = functions->array[from].owner;
		if (!found)
			found = resolve(functions, from);
	}
	while (from <= at)
		functions->array[from++].owner = found;
	return found;
}

struct function *profil_functions_at(struct functions *functions,
				     uint64_t address)
{
	return owner(functions, profil_edges_find(functions->edges, address));
}

uint64_t profil_functions_into(struct functions *functions, uint64_t address)
{
	struct place place;

	if (profil_functions_at(functions, address) == &functions->outside)
		return UINT64_MAX;
	place = profil_symbols_at(functions->symbols, address);
	return address - place.address;
}

/*
 * Where the code from edge @at on ends, from the beginning of @histogram, in
 * units of which an address has as many as there are bins. So the borders of
 * bins are whole numbers, too.
 */
static unsigned __int128 end_of(const struct functions *functions, size_t at,
				const struct histogram *histogram)
{
	const struct edges *edges = functions->edges;
	unsigned __int128 length = histogram->high - histogram->low;

	if (at + 1 < edges->nr &&
	    edges->array[at + 1].address < histogram->high)
		length = edges->array[at + 1].address - histogram->low;
	return length * histogram->nr;
}

/* All rounding is of sums from the bin's beginning: the last is exact. */
static void divide(struct functions *functions,
		   const struct histogram *histogram, size_t bin)
{
	unsigned __int128 length = histogram->high - histogram->low;
	unsigned __int128 start = length * bin;
	uint64_t address = histogram->low + (uint64_t)(start / histogram->nr);
	size_t at = profil_edges_find(functions->edges, address);
	unsigned __int128 parts =
		(unsigned __int128)profil_histogram_bin(histogram, bin) *
		COUNTS_PARTS;
	unsigned __int128 given = 0;

	while (given < parts) {
		unsigned __int128 end = end_of(functions, at, histogram);
		unsigned __int128 part =
			end - start < length ? parts * (end - start) / length :
					       parts;

		owner(functions, at++)->parts += part - given;
		given = part;
	}
}

static void count_samples(struct functions *functions,
			  const struct histogram *histogram)
{
	size_t bin = profil_histogram_next(histogram, 0);

	while (bin < histogram->nr) {
		divide(functions, histogram, bin);
		bin = profil_histogram_next(histogram, bin + 1);
	}
}

void profil_functions_count(struct functions *functions,
			    const struct counts *counts)
{
	for (size_t i = 0; i < counts->nr_histograms; i++)
		count_samples(functions, &counts->histograms[i]);
	for (size_t i = 0; i < counts->nr_arcs; i++)
		profil_functions_at(functions, counts->arcs[i].self)->calls +=
			counts->arcs[i].count;
}
