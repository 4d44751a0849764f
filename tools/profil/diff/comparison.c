// SPDX-License-Identifier: GPL-2.0-only
/* Comparison: from profiles to rows */
#include <math.h>

#include "diff/comparison.h"

/* Name of a row for functions without a symbol, of files that differ */
static const char no_symbol[] = "[no symbol]";

void profil_comparison_init(struct comparison *comparison, enum change_by by)
{
	*comparison = (struct comparison){
		.by = by,
		.strings = profil_strings_new(),
	};
}

void profil_comparison_free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_rows; i++)
		free(comparison->rows[i].counts);
	free(comparison->runs);
	free(comparison->rows);
	profil_index_map_free(&comparison->indices);
	profil_strings_free(comparison->strings);
	*comparison = (struct comparison){ 0 };
}

static const char *own(struct comparison *comparison, const char *string)
{
	return profil_strings_add(comparison->strings, string);
}

/* The hottest place of a row has the build of all its places. */
static const char *build_of_row(struct comparison *comparison,
				const struct profile *profile,
				const struct row *row)
{
	const struct profile_place *place =
		profile_place_of(profile, row->hottest);
	const struct profile_object *object = &profile->objects[place->object];
	char text[2 * FILE_BUILD_ID + 1];

	if (place->function == PROFILE_NONE || object->kind != PROFILE_FILE ||
	    *profile->functions[place->function].symbol)
		return NULL;
	profil_object_build_id(object, text);
	return own(comparison, text);
}

/* The row with the names of @wanted, which is added if there is none */
static struct change *row_of(struct comparison *comparison,
			     const struct change *wanted)
{
	struct index_key key = { { (uintptr_t)wanted->object,
				   (uintptr_t)wanted->function,
				   (uintptr_t)wanted->build } };
	uint32_t index = profil_index_map_find(&comparison->indices, key);

	if (index == INDEX_NONE) {
		index = comparison->nr_rows;
		profil_index_map_set(&comparison->indices, key, index);
		ARRAY_ADD(comparison->rows, comparison->nr_rows, *wanted);
	}
	return &comparison->rows[index];
}

/* A row has counts up to the last run with samples. */
static void add_samples(struct change *row, uint32_t run, double samples)
{
	while (row->nr_counts <= run)
		ARRAY_ADD(row->counts, row->nr_counts, 0);
	row->counts[run] += samples;
}

/* Add @row of the last run. */
static void add_row(const struct comparison *comparison, struct change *to,
		    const struct row *row)
{
	uint32_t run = comparison->nr_runs - 1;

	add_samples(to, run, row->samples);
	profil_row_add(&to->sides[comparison->runs[run].side], row);
}

/* A row that is in no object has a name of its own in place of it. */
static void add_row_of_run(struct comparison *comparison,
			   const struct profile *profile, const struct row *row)
{
	struct change wanted = {
		.object = own(comparison, row->names[0]),
		.function = own(comparison, row->names[1]),
	};

	if (row->hottest && comparison->by == BY_FUNCTION)
		wanted.build = build_of_row(comparison, profile, row);
	if (!row->hottest && comparison->by == BY_OBJECT)
		wanted.object = wanted.function;
	if (comparison->by == BY_OBJECT)
		wanted.function = own(comparison, "");
	add_row(comparison, row_of(comparison, &wanted), row);
}

/*
 * Rows of objects are sums of those of functions, where the object of code that a
 * program has generated is the program.
 */
static void add_rows(struct comparison *comparison,
		     const struct profile *profile)
{
	struct row_choice choice = { .printable = profil_copy_string,
				     .by_base = true };
	struct rows rows;

	profil_rows_read(&rows, profile, &choice);
	for (size_t i = 0; i < rows.nr; i++)
		add_row_of_run(comparison, profile, &rows.array[i]);
	profil_rows_free(&rows);
}

void profil_comparison_add(struct comparison *comparison, enum change_side side,
			   const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t recordings = head->recordings ? head->recordings : 1;
	struct change_run run = {
		.side = side,
		.samples = profil_profile_total(profile),
		.exposure = recordings * 1e9 / head->period_ns,
	};

	ARRAY_ADD(comparison->runs, comparison->nr_runs, run);
	comparison->recordings[side] += recordings;
	comparison->exposure[side] += run.exposure;
	comparison->sides[side].total += run.samples;
	comparison->kernel[side] += head->kernel_samples;
	comparison->seconds[side] =
		comparison->sides[side].total / comparison->exposure[side];
	comparison->kernel_seconds[side] =
		comparison->kernel[side] / comparison->exposure[side];
	add_rows(comparison, profile);
}

/* Objects whose nameless functions cannot be matched by their address */
static void find_mixed(const struct comparison *comparison,
		       struct index_map *mixed)
{
	struct index_map firsts = { 0 };

	for (uint32_t i = 0; i < comparison->nr_rows; i++) {
		const struct change *row = &comparison->rows[i];
		struct index_key object = { { (uintptr_t)row->object } };
		uint32_t first = profil_index_map_find(&firsts, object);

		if (!row->build)
			continue;
		if (first == INDEX_NONE)
			profil_index_map_set(&firsts, object, first = i);
		if (!*row->build || comparison->rows[first].build != row->build)
			profil_index_map_set(mixed, object, 0);
	}
	profil_index_map_free(&firsts);
}

/*
 * An address names a function within one build of a file only: nameless
 * functions of several builds become one row.
 */
static void join_nameless(struct comparison *comparison)
{
	struct change *rows = comparison->rows;
	size_t nr = comparison->nr_rows;
	struct index_map mixed = { 0 };

	find_mixed(comparison, &mixed);
	comparison->rows = NULL;
	comparison->nr_rows = 0;
	profil_index_map_free(&comparison->indices);
	for (size_t i = 0; i < nr; i++) {
		struct index_key object = { { (uintptr_t)rows[i].object } };
		struct change wanted = {
			.object = rows[i].object,
			.function = rows[i].function,
		};
		struct change *row;

		if (rows[i].build &&
		    profil_index_map_find(&mixed, object) != INDEX_NONE)
			wanted.function = own(comparison, no_symbol);
		row = row_of(comparison, &wanted);
		for (uint32_t run = 0; run < rows[i].nr_counts; run++)
			add_samples(row, run, rows[i].counts[run]);
		for (enum change_side side = 0; side < SIDES; side++)
			profil_row_add(&row->sides[side], &rows[i].sides[side]);
		add_samples(row, comparison->nr_runs - 1, 0);
		free(rows[i].counts);
	}
	free(rows);
	profil_index_map_free(&mixed);
}

static void sum_sides(const struct comparison *comparison, struct change *row)
{
	for (uint32_t i = 0; i < comparison->nr_runs; i++)
		row->samples[comparison->runs[i].side] += row->counts[i];
	for (enum change_side side = 0; side < SIDES; side++) {
		row->amount[side] =
			row->samples[side] / comparison->exposure[side];
		if (!comparison->is_shares)
			row->sides[side].seconds = row->amount[side];
	}
}

static int by_difference(const void *a, const void *b)
{
	const struct change *one = a, *other = b;
	double x = fabs(one->amount[AFTER] - one->amount[BEFORE]);
	double y = fabs(other->amount[AFTER] - other->amount[BEFORE]);

	return compare_reals(y, x)			  ?:
		       strcmp(one->object, other->object) ?:
		       strcmp(one->function, other->function);
}

/* A share is part of its own run's samples, however many those are. */
static void expose_shares(struct comparison *comparison)
{
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		struct change_run *run = &comparison->runs[i];

		run->exposure = run->samples / 100;
	}
	for (enum change_side side = 0; side < SIDES; side++)
		comparison->exposure[side] =
			comparison->sides[side].total / 100;
}

void profil_comparison_finish(struct comparison *comparison, bool is_shares)
{
	const char *lost = own(comparison, "[lost]");
	const char *none = own(comparison, "");

	comparison->is_shares = is_shares;
	if (is_shares)
		expose_shares(comparison);
	join_nameless(comparison);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		sum_sides(comparison, row);
		row->is_lost = (row->object == lost && row->function == none) ||
			       (row->object == none && row->function == lost);
	}
	ARRAY_SORT(comparison->rows, comparison->nr_rows, by_difference);
}
