// SPDX-License-Identifier: GPL-2.0-only
/* Functions of a profile by their samples */
#include <stdlib.h>
#include <string.h>

#include "html/hot.h"
#include "util/memory.h"

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

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return (one->function > other->function) -
	       (one->function < other->function);
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

	if (value[one] != value[other])
		return value[one] < value[other] ? 1 : -1;
	return (one > other) - (one < other);
}

uint32_t *profil_hot_order(const uint64_t *values, uint32_t nr)
{
	uint32_t *order = profil_grow(NULL, (size_t)nr + 1, sizeof(*order));

	for (uint32_t i = 0; i < nr; i++)
		order[i] = i;
	qsort_r(order, nr, sizeof(*order), by_value, (void *)values);
	return order;
}
