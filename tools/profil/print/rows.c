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
static struct row *add_row(struct rows *rows, char *symbol, char *object)
{
	if (rows->nr == rows->room) {
		rows->room = rows->room ? 2 * rows->room : 256;
		rows->array = profil_grow(rows->array, rows->room,
					  sizeof(*rows->array));
	}
	rows->array[rows->nr] = (struct row){
		.symbol = symbol,
		.object = object,
	};
	return &rows->array[rows->nr++];
}

static char *name_of(const struct code_object *object)
{
	return profil_text_printable(profil_text_base(object->path));
}

static struct name_source *add_source(struct rows *rows,
				      const struct code_object *object)
{
	struct name_source *source = &rows->sources[rows->nr_sources++];

	*source = (struct name_source){ .object = object };
	return source;
}

/* The samples come in order, so those of one function come together. */
static void add_places(struct rows *rows, const struct code_object *object,
		       const struct symbols *symbols,
		       struct name_source *source)
{
	struct row *row = NULL;

	for (size_t i = 0; i < object->nr; i++) {
		const struct sample *sample = &object->samples[i];
		struct location location = { .address = sample->offset };

		if (symbols)
			location = profil_symbols_at_offset(symbols,
							    sample->offset);
		if (!row || row->address != location.address) {
			row = add_row(rows,
				      profil_function_name(object->path,
							   &location),
				      name_of(object));
			row->address = location.address;
		}
		row->samples += sample->count;
		if (location.name)
			source->named = true;
		else
			source->nameless += sample->count;
	}
}

static void add_file(struct rows *rows, const struct code_object *object)
{
	struct name_source *source = add_source(rows, object);
	struct symbols *symbols;

	if (profil_interrupted()) {
		source->skipped = true;
		add_places(rows, object, NULL, source);
		return;
	}
	symbols = profil_symbols_open(object->path, &object->identity);
	source->state = profil_symbols_status(symbols);
	add_places(rows, object, symbols, source);
	profil_symbols_close(symbols);
}

static void add_other(struct rows *rows, const char *symbol, char *object,
		      uint64_t samples)
{
	struct row *row;

	if (!samples) {
		free(object);
		return;
	}
	row = add_row(rows, profil_copy_string(symbol), object);
	row->samples = samples;
	row->other = true;
}

/* All samples of such an object are in one counter. */
static void add_program(struct rows *rows, const struct code_object *object)
{
	char *name = name_of(object);
	char symbol[NAME] = "[outside]";
	uint64_t samples = 0;

	if (object->kind == CODE_JIT)
		snprintf(symbol, sizeof(symbol), "[jit: %s]", name);
	for (size_t i = 0; i < object->nr; i++)
		samples += object->samples[i].count;
	add_other(rows, symbol, name, samples);
}

static int by_samples(const void *a, const void *b)
{
	const struct row *one = a;
	const struct row *other = b;
	int symbols;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	symbols = strcmp(one->symbol, other->symbol);
	return symbols ? symbols : strcmp(one->object, other->object);
}

void profil_rows_read(struct rows *rows, const struct sample_table *table)
{
	*rows = (struct rows){ 0 };
	rows->sources =
		profil_grow(NULL, table->nr + 1, sizeof(*rows->sources));
	for (size_t i = 0; i < table->nr; i++) {
		const struct code_object *object = &table->objects[i];

		if (object->kind != CODE_FILE)
			add_program(rows, object);
		else if (object->nr)
			add_file(rows, object);
	}
	add_other(rows, "[outside]", profil_copy_string(""), table->outside);
	add_other(rows, "[lost]", profil_copy_string(""), table->lost);
	if (rows->nr)
		qsort(rows->array, rows->nr, sizeof(*rows->array), by_samples);
}

void profil_rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++) {
		free(rows->array[i].symbol);
		free(rows->array[i].object);
	}
	free(rows->array);
	free(rows->sources);
}
