// SPDX-License-Identifier: GPL-2.0-only
/* Differences between the rows of two moments, and the selected row */
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

static void forget_names(struct selection *selection)
{
	for (int i = 0; i < ROW_NAMES; i++)
		free(selection->names[i]);
	memset(selection->names, 0, sizeof(selection->names));
	selection->has_names = false;
}

static void keep_names(struct selection *selection, const struct top_row *row)
{
	forget_names(selection);
	for (int i = 0; i < ROW_NAMES && row->names[i]; i++)
		selection->names[i] = profil_copy_string(row->names[i]);
	selection->has_names = true;
}

/* A row that is gone leaves its place to the row that is there now. */
static void find_row(struct selection *selection, const struct top_table *table)
{
	struct top_row key = { .names = selection->names };

	if (!selection->has_names)
		selection->index = 0;
	for (size_t i = 0; selection->has_names && i < table->nr; i++) {
		if (!profil_top_row_compare(&key, &table->array[i])) {
			selection->index = i;
			return;
		}
	}
	if (selection->index >= table->nr)
		selection->index = table->nr - 1;
}

static void move(struct selection *selection, const struct top_table *table)
{
	size_t last = table->nr - 1;
	long step = selection->step;

	if (step < 0 && selection->index < (size_t)-step)
		selection->index = 0;
	else if (step > 0 && last - selection->index < (size_t)step)
		selection->index = last;
	else
		selection->index += step;
	if (step)
		keep_names(selection, &table->array[selection->index]);
}

void profil_selection_place(struct selection *selection,
			    const struct top_table *table, size_t shown)
{
	if (!table->nr) {
		selection->first = 0;
		return;
	}
	find_row(selection, table);
	move(selection, table);
	selection->step = 0;
	if (selection->first + shown > table->nr)
		selection->first = table->nr > shown ? table->nr - shown : 0;
	if (selection->index < selection->first)
		selection->first = selection->index;
	else if (selection->index >= selection->first + shown)
		selection->first = selection->index - shown + 1;
}

void profil_selection_reset(struct selection *selection)
{
	forget_names(selection);
	*selection = (struct selection){ 0 };
}
