// SPDX-License-Identifier: GPL-2.0-only
/* The lines of a flat profile */
#include <stdlib.h>
#include <string.h>

#include "elf/function_name.h"
#include "print/rows.h"
#include "util/interrupt.h"
#include "util/memory.h"
#include "util/text.h"

#define NAME 256

/* Both strings pass to the line. */
static struct line *add_line(struct lines *lines, char *symbol, char *object)
{
	if (lines->nr == lines->room) {
		lines->room = lines->room ? 2 * lines->room : 256;
		lines->array = profil_grow(lines->array, lines->room,
					   sizeof(*lines->array));
	}
	lines->array[lines->nr] = (struct line){
		.symbol = symbol,
		.object = object,
	};
	return &lines->array[lines->nr++];
}

static char *name_of(const struct object *object)
{
	return profil_text_printable(profil_text_base(object->path));
}

static struct origin *add_origin(struct lines *lines,
				 const struct object *object)
{
	struct origin *origin = &lines->origins[lines->nr_origins++];

	*origin = (struct origin){ .object = object };
	return origin;
}

/* The samples come in order, so those of one function come together. */
static void add_places(struct lines *lines, const struct object *object,
		       const struct symbols *symbols, struct origin *origin)
{
	struct line *line = NULL;

	for (size_t i = 0; i < object->nr; i++) {
		const struct sample *sample = &object->samples[i];
		struct location location = { .address = sample->offset };

		if (symbols)
			location = profil_symbols_at_offset(symbols,
							    sample->offset);
		if (!line || line->address != location.address) {
			line = add_line(lines,
					profil_function_name(object->path,
							     &location),
					name_of(object));
			line->address = location.address;
		}
		line->samples += sample->count;
		if (location.name)
			origin->named = true;
		else
			origin->nameless += sample->count;
	}
}

static void add_file(struct lines *lines, const struct object *object)
{
	struct origin *origin = add_origin(lines, object);
	struct symbols *symbols;

	if (profil_interrupted()) {
		origin->skipped = true;
		add_places(lines, object, NULL, origin);
		return;
	}
	symbols = profil_symbols_open(object->path, &object->identity);
	origin->state = profil_symbols_status(symbols);
	add_places(lines, object, symbols, origin);
	profil_symbols_close(symbols);
}

static void add_other(struct lines *lines, const char *symbol, char *object,
		      uint64_t samples)
{
	struct line *line;

	if (!samples) {
		free(object);
		return;
	}
	line = add_line(lines, profil_copy(symbol), object);
	line->samples = samples;
	line->other = true;
}

/* All samples of such an object are in one counter. */
static void add_program(struct lines *lines, const struct object *object)
{
	char *name = name_of(object);
	char symbol[NAME] = "[outside]";
	uint64_t samples = 0;

	if (object->kind == OBJECT_JIT)
		snprintf(symbol, sizeof(symbol), "[jit: %s]", name);
	for (size_t i = 0; i < object->nr; i++)
		samples += object->samples[i].count;
	add_other(lines, symbol, name, samples);
}

static int by_samples(const void *a, const void *b)
{
	const struct line *one = a;
	const struct line *other = b;
	int symbols;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	symbols = strcmp(one->symbol, other->symbol);
	return symbols ? symbols : strcmp(one->object, other->object);
}

void profil_lines_read(struct lines *lines, const struct profile *profile)
{
	*lines = (struct lines){ 0 };
	lines->origins =
		profil_grow(NULL, profile->nr + 1, sizeof(*lines->origins));
	for (size_t i = 0; i < profile->nr; i++) {
		const struct object *object = &profile->objects[i];

		if (object->kind != OBJECT_FILE)
			add_program(lines, object);
		else if (object->nr)
			add_file(lines, object);
	}
	add_other(lines, "[outside]", profil_copy(""), profile->outside);
	add_other(lines, "[lost]", profil_copy(""), profile->lost);
	if (lines->nr)
		qsort(lines->array, lines->nr, sizeof(*lines->array),
		      by_samples);
}

void profil_lines_free(struct lines *lines)
{
	for (size_t i = 0; i < lines->nr; i++) {
		free(lines->array[i].symbol);
		free(lines->array[i].object);
	}
	free(lines->array);
	free(lines->origins);
}
