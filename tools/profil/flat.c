// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile: how much time each function took by itself */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flat.h"
#include "memory.h"
#include "name.h"
#include "symbols.h"

/* A symbol up to this width keeps the column of objects straight. */
#define MAX_WIDTH 48

/**
 * struct line - one function
 * @symbol: its name, or object+0xaddress
 * @object: the file
 * @address: where it begins
 * @samples: samples in it
 */
struct line {
	char *symbol;
	const struct object *object;
	uint64_t address;
	uint64_t samples;
};

struct lines {
	struct line *array;
	size_t nr;
	size_t room;
};

static struct line *add_line(struct lines *lines, const struct object *object,
			     const struct place *place)
{
	if (lines->nr == lines->room) {
		lines->room = lines->room ? 2 * lines->room : 256;
		lines->array = profil_grow(lines->array, lines->room,
					   sizeof(*lines->array));
	}
	lines->array[lines->nr] = (struct line){
		.symbol = profil_name(object->path, place),
		.object = object,
		.address = place->address,
	};
	return &lines->array[lines->nr++];
}

/* The samples come in order, so those of one function come together. */
static void add_object(struct lines *lines, const struct object *object)
{
	struct symbols *symbols = profil_symbols_open(object->path);
	struct line *line = NULL;

	for (size_t i = 0; i < object->nr; i++) {
		struct place place =
			profil_symbols_find(symbols, object->samples[i].offset);

		if (!line || line->address != place.address)
			line = add_line(lines, object, &place);
		line->samples += object->samples[i].count;
	}
	profil_symbols_close(symbols);
}

static int by_samples(const void *a, const void *b)
{
	const struct line *one = a;
	const struct line *other = b;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return strcmp(one->symbol, other->symbol);
}

static int width_of(const struct lines *lines)
{
	size_t width = strlen("symbol");

	for (size_t i = 0; i < lines->nr; i++) {
		size_t length = strlen(lines->array[i].symbol);

		if (length > width && length <= MAX_WIDTH)
			width = length;
	}
	return width;
}

static double seconds(const struct profile *profile, uint64_t samples)
{
	return samples * (profile->period_ns / 1e9);
}

static uint64_t total(const struct profile *profile)
{
	return profile->counted + profile->outside + profile->lost;
}

static void print(FILE *out, const struct profile *profile,
		  const struct lines *lines)
{
	int width = width_of(lines);
	double all = total(profile) ? total(profile) : 1;

	fprintf(out, "%7s %10s %9s  %-*s  %s\n", "percent", "seconds",
		"samples", width, "symbol", "object");
	for (size_t i = 0; i < lines->nr; i++) {
		const struct line *line = &lines->array[i];

		fprintf(out, "%7.2f %10.3f %9" PRIu64 "  %-*s  %s\n",
			100 * line->samples / all,
			seconds(profile, line->samples), line->samples, width,
			line->symbol, profil_name_base(line->object->path));
	}
	fprintf(out,
		"total %" PRIu64
		" samples (%.3f s, one each %.4g ms), outside %" PRIu64
		", lost %" PRIu64 "\n",
		total(profile), seconds(profile, total(profile)),
		profile->period_ns / 1e6, profile->outside, profile->lost);
}

void profil_flat(FILE *out, const struct profile *profile)
{
	struct lines lines = { 0 };

	for (size_t i = 0; i < profile->nr; i++)
		if (profile->objects[i].nr)
			add_object(&lines, &profile->objects[i]);
	if (lines.nr)
		qsort(lines.array, lines.nr, sizeof(*lines.array), by_samples);
	print(out, profile, &lines);
	for (size_t i = 0; i < lines.nr; i++)
		free(lines.array[i].symbol);
	free(lines.array);
}
