// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a flat profile */
#include <stdlib.h>
#include <string.h>

#include "print/rows.h"
#include "util/memory.h"

struct row *profil_rows_add(struct rows *rows)
{
	if (rows->nr == rows->room) {
		rows->room = rows->room ? 2 * rows->room : 256;
		rows->array = profil_grow(rows->array, rows->room,
					  sizeof(*rows->array));
	}
	rows->array[rows->nr] = (struct row){ 0 };
	return &rows->array[rows->nr++];
}

/* Functions are the last names, and are compared first. */
static int by_names(const struct row *one, const struct row *other)
{
	for (int i = ROW_NAMES; i-- > 0;) {
		int order;

		if (!one->names[i] || !other->names[i])
			continue;
		order = strcmp(one->names[i], other->names[i]);
		if (order)
			return order;
	}
	return 0;
}

static int by_samples(const void *a, const void *b)
{
	const struct row *one = a;
	const struct row *other = b;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	if (one->calls != other->calls)
		return one->calls < other->calls ? 1 : -1;
	return by_names(one, other);
}

void profil_rows_sort(struct rows *rows)
{
	double samples = 0;

	if (rows->nr)
		qsort(rows->array, rows->nr, sizeof(*rows->array), by_samples);
	for (size_t i = 0; i < rows->nr; i++) {
		struct row *row = &rows->array[i];

		samples += row->samples;
		row->seconds = row->samples * rows->period;
		row->cumulative = samples * rows->period;
	}
}

void profil_rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		for (int j = 0; j < rows->nr_names; j++)
			free(rows->array[i].names[j]);
	free(rows->array);
}
