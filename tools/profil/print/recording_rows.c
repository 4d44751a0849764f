// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the flat profile of a recording */
#include <stdio.h>
#include <stdlib.h>

#include "elf/function_name.h"
#include "print/recording_rows.h"
#include "util/interrupt.h"
#include "util/memory.h"
#include "util/text.h"

/* Bytes of a name in brackets */
#define NAME 256

static char *name_of(const struct code_object *object)
{
	return profil_text_printable(profil_text_base(object->path));
}

/* Samples are sorted by offset, so those of one function are consecutive. */
static void add_functions(struct rows *rows, struct name_source *source,
			  const struct symbols *symbols)
{
	const struct code_object *object = source->object;
	struct row *row = NULL;
	uint64_t start = 0;

	for (size_t i = 0; i < object->nr; i++) {
		const struct sample *sample = &object->samples[i];
		struct location location = { .address = sample->offset };

		if (symbols)
			location = profil_symbols_at_offset(symbols,
							    sample->offset);
		if (!row || start != location.address)
			row = profil_rows_add(rows,
					      profil_function_name(object->path,
								   &location),
					      name_of(object));
		start = location.address;
		row->samples += sample_count(sample);
		if (location.name)
			source->named = true;
		else
			source->nameless += sample_count(sample);
	}
}

static void add_file(struct recording_rows *rows,
		     const struct code_object *object)
{
	struct name_source *source = &rows->sources[rows->nr_sources++];
	struct symbols *symbols;

	*source = (struct name_source){ .object = object };
	if (profil_interrupted()) {
		source->skipped = true;
		add_functions(&rows->rows, source, NULL);
		return;
	}
	symbols = profil_symbols_open(object->path, &object->identity);
	source->status = profil_symbols_status(symbols);
	add_functions(&rows->rows, source, symbols);
	profil_symbols_close(symbols);
}

static void add_special(struct rows *rows, const char *symbol,
			const char *object, uint64_t samples)
{
	struct row *row;

	if (!samples)
		return;
	row = profil_rows_add(rows, profil_copy_string(symbol),
			      profil_copy_string(object));
	row->samples = samples;
	row->is_special = true;
}

/* Code outside of files has one row for each program. */
static void add_program(struct rows *rows, const struct code_object *object)
{
	char *name = name_of(object);
	char symbol[NAME] = "[outside]";
	uint64_t samples = 0;

	if (object->kind == CODE_JIT)
		snprintf(symbol, sizeof(symbol), "[jit: %s]", name);
	for (size_t i = 0; i < object->nr; i++)
		samples += sample_count(&object->samples[i]);
	add_special(rows, symbol, name, samples);
	free(name);
}

void profil_recording_rows_read(struct recording_rows *rows,
				const struct sample_table *table)
{
	*rows = (struct recording_rows){
		.rows.total = profil_sample_table_total(table),
		.rows.period = table->period_ns / 1e9,
		.sources = profil_grow(NULL, table->nr + 1,
				       sizeof(*rows->sources)),
	};
	for (size_t i = 0; i < table->nr; i++) {
		const struct code_object *object = &table->objects[i];

		if (object->kind != CODE_FILE)
			add_program(&rows->rows, object);
		else if (object->nr)
			add_file(rows, object);
	}
	add_special(&rows->rows, "[outside]", "", table->outside);
	add_special(&rows->rows, "[lost]", "", table->lost);
	profil_rows_sort(&rows->rows);
}

void profil_recording_rows_free(struct recording_rows *rows)
{
	profil_rows_free(&rows->rows);
	free(rows->sources);
}
