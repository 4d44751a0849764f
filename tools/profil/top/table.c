// SPDX-License-Identifier: GPL-2.0-only
/* Differences between the rows of two moments */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "top/table.h"
#include "util/memory.h"

/**
 * struct sums - samples by name
 * @array: a row for each name, ascending by name; only @total counts
 * @nr: elements of @array
 */
struct sums {
	struct top_row *array;
	size_t nr;
};

int profil_top_row_compare(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;
	int order = 0;

	for (int i = 0; !order && i < ROW_NAMES && one->names[i]; i++)
		order = strcmp(one->names[i],
			       other->names[i] ? other->names[i] : "");
	return order;
}

static uint64_t samples_of(const struct profile_place *place)
{
	return place ? place->user + place->kernel : 0;
}

static void join(struct top_row *row, const struct top_row *other)
{
	row->total += other->total;
	if (samples_of(other->hottest) > samples_of(row->hottest))
		row->hottest = other->hottest;
}

/* Functions of one name, as static ones may have, are one row. */
static struct sums sums_of(const struct rows *rows)
{
	struct sums sums = {
		.array = profil_grow(NULL, rows->nr + 1, sizeof(*sums.array)),
	};

	for (size_t i = 0; i < rows->nr; i++)
		sums.array[i] = (struct top_row){
			.names = rows->array[i].names,
			.total = rows->array[i].samples,
			.hottest = rows->array[i].hottest,
		};
	qsort(sums.array, rows->nr, sizeof(*sums.array),
	      profil_top_row_compare);
	for (size_t i = 0; i < rows->nr; i++) {
		struct top_row *last = &sums.array[sums.nr - !!sums.nr];

		if (sums.nr && !profil_top_row_compare(last, &sums.array[i]))
			join(last, &sums.array[i]);
		else
			sums.array[sums.nr++] = sums.array[i];
	}
	return sums;
}

static double find(const struct sums *sums, const struct top_row *row)
{
	const struct top_row *found = bsearch(row, sums->array, sums->nr,
					      sizeof(*row),
					      profil_top_row_compare);

	return found ? found->total : 0;
}

static int by_samples(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;

	if (one->interval != other->interval)
		return one->interval < other->interval ? 1 : -1;
	if (one->total != other->total)
		return one->total < other->total ? 1 : -1;
	return profil_top_row_compare(a, b);
}

void profil_top_table_make(struct top_table *table, const struct rows *now,
			   const struct rows *before, const struct rows *zero)
{
	struct sums present = sums_of(now);
	struct sums last = sums_of(before), first = sums_of(zero);

	*table = (struct top_table){ .array = present.array, .nr = present.nr };
	for (size_t i = 0; i < table->nr; i++) {
		struct top_row *row = &table->array[i];

		row->interval = row->total - find(&last, row);
		row->total -= find(&first, row);
		table->interval += row->interval;
		table->total += row->total;
	}
	qsort(table->array, table->nr, sizeof(*table->array), by_samples);
	free(last.array);
	free(first.array);
}

void profil_top_table_free(struct top_table *table)
{
	free(table->array);
	*table = (struct top_table){ 0 };
}
