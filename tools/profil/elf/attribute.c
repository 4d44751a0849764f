// SPDX-License-Identifier: GPL-2.0-only
/* Attribution of samples and calls to functions */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/attribute.h"
#include "elf/function_name.h"
#include "util/exit_status.h"
#include "util/memory.h"

/* No function has a name in brackets. */
#define OUTSIDE "[outside]"

static void check(const struct attribution *attribution, unsigned int word)
{
	unsigned int own = profil_symbols_word(attribution->symbols);

	if (access(attribution->path, R_OK))
		err(EXIT_PROFIL, "cannot read the program %s (name it with -e)",
		    attribution->path);
	if (!own)
		errx(EXIT_PROFIL,
		     "%s is not a program or library: name the right one with -e",
		     attribution->path);
	if (own != word)
		errx(EXIT_PROFIL,
		     "%s has addresses of %u bits and the profile of %u: name the right program with -e",
		     attribution->path, 8 * own, 8 * word);
}

void profil_attribute_open(struct attribution *attribution, const char *path,
			   unsigned int word)
{
	size_t size;

	*attribution = (struct attribution){
		.path = path,
		.symbols = profil_symbols_open(path, NULL),
		.outside.name = OUTSIDE,
	};
	attribution->outside.owner = &attribution->outside;
	check(attribution, word);
	attribution->boundaries =
		profil_symbols_boundaries(attribution->symbols);
	size = attribution->boundaries->nr * sizeof(*attribution->array);
	attribution->array = profil_grow(NULL, 1, size);
	memset(attribution->array, 0, size);
}

void profil_attribute_close(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->boundaries->nr; i++)
		free(attribution->array[i].name);
	free(attribution->array);
	profil_symbols_close(attribution->symbols);
}

/* Function that starts at the address of @location */
static struct function *begin(struct attribution *attribution,
			      const struct location *location)
{
	size_t at = profil_boundaries_find(attribution->boundaries,
					   location->address);
	struct function *function = &attribution->array[at];

	if (!function->name)
		function->name =
			profil_function_name(attribution->path, location);
	return function;
}

/*
 * Function that owns the code from boundary @at on; NULL if it continues that of
 * the boundary before.
 */
static struct function *resolve(struct attribution *attribution, size_t at)
{
	const struct boundary *boundary = &attribution->boundaries->array[at];
	struct location location;

	if (!boundary->code)
		return &attribution->outside;
	location = profil_symbols_at_address(attribution->symbols,
					     boundary->address);
	if (location.name)
		return begin(attribution, &location);
	location.address = boundary->address;
	return boundary->begins ? begin(attribution, &location) : NULL;
}

static struct function *owner(struct attribution *attribution, size_t at)
{
	struct function *found = NULL;
	size_t from = at + 1;

	/* The first boundary begins a function. */
	while (!found) {
		from--;
		found = attribution->array[from].owner;
		if (!found)
			found = resolve(attribution, from);
	}
	while (from <= at)
		attribution->array[from++].owner = found;
	return found;
}

struct function *profil_attribute_at(struct attribution *attribution,
				     uint64_t address)
{
	return owner(attribution,
		     profil_boundaries_find(attribution->boundaries, address));
}

uint64_t profil_attribute_offset(struct attribution *attribution,
				 uint64_t address)
{
	struct location location;

	if (profil_attribute_at(attribution, address) == &attribution->outside)
		return UINT64_MAX;
	location = profil_symbols_at_address(attribution->symbols, address);
	return address - location.address;
}

/*
 * End of the code from boundary @at on, relative to the start of @histogram. The
 * unit is an address divided by the number of bins, so that limits of bins are
 * whole numbers, too.
 */
static unsigned __int128 end_of(const struct attribution *attribution,
				size_t at, const struct histogram *histogram)
{
	const struct boundaries *boundaries = attribution->boundaries;
	unsigned __int128 length = histogram->high - histogram->low;

	if (at + 1 < boundaries->nr &&
	    boundaries->array[at + 1].address < histogram->high)
		length = boundaries->array[at + 1].address - histogram->low;
	return length * histogram->nr;
}

/* Only sums from the start of the bin are rounded: the last one is exact. */
static void divide(struct attribution *attribution,
		   const struct histogram *histogram, size_t bin)
{
	unsigned __int128 length = histogram->high - histogram->low;
	unsigned __int128 start = length * bin;
	uint64_t address = histogram->low + (uint64_t)(start / histogram->nr);
	size_t at = profil_boundaries_find(attribution->boundaries, address);
	unsigned __int128 parts =
		(unsigned __int128)profil_bins_get(histogram, bin) *
		SAMPLE_PARTS;
	unsigned __int128 given = 0;

	while (given < parts) {
		unsigned __int128 end = end_of(attribution, at, histogram);
		unsigned __int128 part =
			end - start < length ? parts * (end - start) / length :
					       parts;

		owner(attribution, at++)->parts += part - given;
		given = part;
	}
}

static void count_samples(struct attribution *attribution,
			  const struct histogram *histogram)
{
	size_t bin = profil_bins_next(histogram, 0);

	while (bin < histogram->nr) {
		divide(attribution, histogram, bin);
		bin = profil_bins_next(histogram, bin + 1);
	}
}

void profil_attribute_count(struct attribution *attribution,
			    const struct gprof_data *data)
{
	for (size_t i = 0; i < data->nr_histograms; i++)
		count_samples(attribution, &data->histograms[i]);
	for (size_t i = 0; i < data->nr_arcs; i++)
		profil_attribute_at(attribution, data->arcs[i].self)->calls +=
			data->arcs[i].count;
}
