// SPDX-License-Identifier: GPL-2.0-only
/* Functions by their samples, and text of HTML */
#include <stdlib.h>
#include <string.h>

#include "html/page.h"
#include "util/array.h"
#include "util/memory.h"
#include "util/text.h"

/* Characters of a name on the page; a longer one is cut. */
#define HTML_NAME 300

static const char *entity_of(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void profil_html_text(FILE *out, const char *text, size_t width)
{
	char *printable = profil_text_utf8(text);
	size_t bytes = profil_text_bytes(printable, width);

	for (size_t i = 0; i < bytes; i++) {
		const char *entity = entity_of(printable[i]);

		if (entity)
			fputs(entity, out);
		else
			fputc(printable[i], out);
	}
	if (printable[bytes])
		fputs("…", out);
	free(printable);
}

void profil_html_name(FILE *out, const char *name)
{
	profil_html_text(out, name, HTML_NAME);
}

static void *zeros(size_t elements, size_t size)
{
	void *array = profil_grow(NULL, elements + 1, size);

	memset(array, 0, (elements + 1) * size);
	return array;
}

static const char *name_of_kind(enum profile_kind kind)
{
	return kind == PROFILE_JIT ? "[jit]" : "[outside]";
}

static void add_place(struct hot *hot, struct hot_row *row,
		      const struct profile_place *place)
{
	uint64_t samples = place->user + place->kernel;

	row->samples += samples;
	row->kernel += place->kernel;
	hot->objects[place->object] += samples;
	hot->programs[place->program] += samples;
}

/* Functions first, then the objects of code without a function. */
static void add_places(struct hot *hot)
{
	const struct profile *profile = hot->profile;

	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];
		uint32_t at = place->function;
		struct hot_row *row;

		if (at == PROFILE_NONE)
			at = profile->nr_functions + place->object;
		row = &hot->rows[at];
		row->function = place->function;
		row->object = place->object;
		row->name = name_of_kind(profile->objects[row->object].kind);
		add_place(hot, row, place);
	}
}

static void add_special(struct hot *hot, const char *name, uint64_t samples)
{
	hot->rows[hot->nr++] = (struct hot_row){
		.function = PROFILE_NONE,
		.object = PROFILE_NONE,
		.name = name,
		.samples = samples,
	};
}

static int by_samples(const void *a, const void *b)
{
	const struct hot_row *one = a, *other = b;

	return compare_numbers(other->samples, one->samples) ?:
		       compare_numbers(one->function, other->function);
}

/* Rows without samples are the last ones. */
static void sort(struct hot *hot)
{
	qsort(hot->rows, hot->nr, sizeof(*hot->rows), by_samples);
	while (hot->nr && !hot->rows[hot->nr - 1].samples)
		hot->nr--;
	for (uint32_t i = 0; i < hot->profile->nr_functions; i++)
		hot->row_of[i] = PROFILE_NONE;
	for (size_t i = 0; i < hot->nr; i++)
		if (hot->rows[i].function != PROFILE_NONE)
			hot->row_of[hot->rows[i].function] = i;
}

void profil_hot_read(struct hot *hot, const struct profile *profile)
{
	size_t rows = (size_t)profile->nr_functions + profile->nr_objects;

	*hot = (struct hot){
		.profile = profile,
		.rows = zeros(rows + 2, sizeof(*hot->rows)),
		.nr = rows,
		.row_of = zeros(profile->nr_functions, sizeof(*hot->row_of)),
		.objects = zeros(profile->nr_objects, sizeof(*hot->objects)),
		.programs = zeros(profile->nr_programs, sizeof(*hot->programs)),
		.total = profil_profile_total(profile),
		.period = profile->head.period_ns / 1e9,
	};
	add_places(hot);
	add_special(hot, "[outside]", profile->head.outside);
	add_special(hot, "[lost]", profile->head.lost);
	sort(hot);
}

void profil_hot_free(struct hot *hot)
{
	free(hot->rows);
	free(hot->row_of);
	free(hot->objects);
	free(hot->programs);
	*hot = (struct hot){ 0 };
}

const char *profil_hot_name(const struct hot *hot, const struct hot_row *row)
{
	if (row->function == PROFILE_NONE)
		return row->name;
	return hot->profile->functions[row->function].name;
}

double profil_hot_percent(const struct hot *hot, uint64_t samples)
{
	return hot->total ? 100.0 * samples / hot->total : 0;
}

static int by_value(const void *a, const void *b, void *values)
{
	const uint64_t *value = values;
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return compare_numbers(value[other], value[one]) ?:
		       compare_numbers(one, other);
}

uint32_t *profil_hot_order(const uint64_t *values, uint32_t nr)
{
	uint32_t *order = profil_grow(NULL, (size_t)nr + 1, sizeof(*order));

	for (uint32_t i = 0; i < nr; i++)
		order[i] = i;
	qsort_r(order, nr, sizeof(*order), by_value, (void *)values);
	return order;
}
