// SPDX-License-Identifier: GPL-2.0-only
/* Rows of an interval and of all time, and the selected row */
#include "top/table.h"

/* Rows of equal names are one row; the sign is the order of the names. */
static int by_names(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;
	int order = 0;

	for (int i = 0; !order && i < ROW_NAMES && one->names[i]; i++)
		order = strcmp(one->names[i],
			       other->names[i] ? other->names[i] : "");
	return order;
}

static uint64_t samples_of(const struct row *row)
{
	return row->hottest ? profile_samples_of(row->hottest) : 0;
}

/* Functions of one name, as static ones may have, are one row. */
static void add_row(void *to, const void *from)
{
	struct top_row *row = to;
	const struct top_row *other = from;

	for (enum top_side side = 0; side < TOP_SIDES; side++) {
		row_add(&row->sides[side], &other->sides[side]);
		row->sides[side].total += other->sides[side].total;
	}
	if (samples_of(&other->sides[ALL]) > samples_of(&row->sides[ALL]))
		row->sides[ALL].hottest = other->sides[ALL].hottest;
}

static void add_rows(struct top_table *table, enum top_side side)
{
	const struct rows *rows = &table->sides[side];

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->array[i];
		struct top_row added = {
			.names = row->names,
			.is_last = row->is_last,
		};

		added.sides[side] = *row;
		ARRAY_ADD(table->array, table->nr, added);
	}
}

static int by_samples(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;
	int order = one->is_last - other->is_last;

	for (enum top_side side = 0; !order && side < ALL; side++)
		order = compare_reals(other->sides[side].samples,
				      one->sides[side].samples);
	for (enum top_side side = 0; !order && side < ALL; side++)
		order = compare_reals(other->sides[side].total,
				      one->sides[side].total);
	return order ?: by_names(a, b);
}

void profil_top_table_make(struct top_table *table)
{
	for (enum top_side side = 0; side < TOP_SIDES; side++)
		add_rows(table, side);
	ARRAY_SORT(table->array, table->nr, by_names);
	table->nr = ARRAY_JOIN(table->array, table->nr, by_names, add_row);
	ARRAY_SORT(table->array, table->nr, by_samples);
}

void profil_top_table_free(struct top_table *table)
{
	for (enum top_side side = 0; side < TOP_SIDES; side++)
		profil_rows_free(&table->sides[side]);
	free(table->array);
	*table = (struct top_table){ 0 };
}

static void forget_names(struct selection *selection)
{
	for (int i = 0; i < ROW_NAMES; i++)
		free(selection->names[i]);
	memset(selection->names, 0, sizeof(selection->names));
}

static void keep_names(struct selection *selection, const struct top_row *row)
{
	forget_names(selection);
	for (int i = 0; i < ROW_NAMES && row->names[i]; i++)
		selection->names[i] = profil_copy_string(row->names[i]);
}

/* A row that is gone leaves its place to the row that is there now. */
static void find_row(struct selection *selection, const struct top_table *table)
{
	struct top_row key = { .names = selection->names };
	bool has_names = *selection->names;

	if (!has_names)
		selection->index = 0;
	for (size_t i = 0; has_names && i < table->nr; i++) {
		if (!by_names(&key, &table->array[i])) {
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
