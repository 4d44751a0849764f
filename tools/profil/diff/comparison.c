// SPDX-License-Identifier: GPL-2.0-only
/* Comparison: from profiles to rows */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/comparison.h"
#include "profile/rows.h"
#include "profile/profile.h"
#include "util/array.h"
#include "util/memory.h"
#include "util/text.h"

/* Name of a row for functions without a symbol, of files that differ */
static const char no_symbol[] = "[no symbol]";

/**
 * struct change_entry - samples of a row in one run
 * @object: as in the row
 * @function: as in the row
 * @build: build ID of the file, if the function has no symbol; otherwise NULL.
 *	The function's name is an address then, and without a build ID "".
 * @run: index of the run
 * @samples: number of samples
 */
struct change_entry {
	const char *object;
	const char *function;
	const char *build;
	uint32_t run;
	double samples;
};

void profil_comparison_init(struct comparison *comparison, enum change_by by)
{
	*comparison = (struct comparison){
		.by = by,
		.strings = profil_strings_new(),
	};
}

void profil_comparison_free(struct comparison *comparison)
{
	free(comparison->runs);
	free(comparison->rows);
	free(comparison->totals);
	free(comparison->kernel);
	free(comparison->entries);
	free(comparison->counts);
	profil_strings_free(comparison->strings);
	*comparison = (struct comparison){ 0 };
}

static const char *own(struct comparison *comparison, const char *string)
{
	return profil_strings_add(comparison->strings, string);
}

static const char *build_of(struct comparison *comparison,
			    const struct profile_object *object)
{
	char text[2 * PROFILE_BUILD_ID + 1] = "";

	for (uint32_t i = 0; i < object->build_id_size; i++)
		sprintf(text + 2 * i, "%02x", object->build_id[i]);
	return own(comparison, text);
}

/* The hottest place of a row has the build of all its places. */
static const char *build_of_row(struct comparison *comparison,
				const struct profile *profile,
				const struct row *row)
{
	const struct profile_place *place = row->hottest;
	const struct profile_object *object = &profile->objects[place->object];

	if (place->function == PROFILE_NONE || object->kind != PROFILE_FILE ||
	    *profile->functions[place->function].symbol)
		return NULL;
	return build_of(comparison, object);
}

/* A row that is in no object has a name of its own in place of it. */
static void add_row_of_run(struct comparison *comparison,
			   const struct profile *profile, const struct row *row)
{
	struct change_entry entry = {
		.object = own(comparison, row->names[0]),
		.function = own(comparison, row->names[1]),
		.run = comparison->nr_runs - 1,
		.samples = row->samples,
	};

	if (row->hottest && comparison->by == BY_FUNCTION)
		entry.build = build_of_row(comparison, profile, row);
	if (!row->hottest && comparison->by == BY_OBJECT)
		entry.object = entry.function;
	if (comparison->by == BY_OBJECT)
		entry.function = own(comparison, "");
	ARRAY_ADD(comparison->entries, comparison->nr_entries, entry);
}

/*
 * Rows of objects are sums of those of functions, where the object of code that a
 * program has generated is the program.
 */
static void add_rows(struct comparison *comparison,
		     const struct profile *profile)
{
	struct row_choice choice = { .printable = profil_copy_string };
	struct rows rows;

	profil_rows_read(&rows, profile, &choice);
	for (size_t i = 0; i < rows.nr; i++)
		add_row_of_run(comparison, profile, &rows.array[i]);
	profil_rows_free(&rows);
}

static void add_run(struct comparison *comparison, enum change_side side,
		    const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t recordings = head->recordings ? head->recordings : 1;
	uint32_t nr = comparison->nr_runs + 1;

	comparison->runs =
		profil_grow(comparison->runs, nr, sizeof(*comparison->runs));
	comparison->totals = profil_grow(comparison->totals, nr,
					 sizeof(*comparison->totals));
	comparison->kernel = profil_grow(comparison->kernel, nr,
					 sizeof(*comparison->kernel));
	comparison->runs[nr - 1] = (struct change_run){
		.side = side,
		.recordings = recordings,
		.exposure = recordings * 1e9 / head->period_ns,
	};
	comparison->totals[nr - 1] = profil_profile_total(profile);
	comparison->kernel[nr - 1] = head->kernel_samples;
	comparison->exposure[side] += comparison->runs[nr - 1].exposure;
	comparison->nr_runs = nr;
}

void profil_comparison_add(struct comparison *comparison, enum change_side side,
			   const struct profile *profile)
{
	add_run(comparison, side, profile);
	add_rows(comparison, profile);
}

/* Strings are unique, so their addresses can be compared. */
static int compare(const char *one, const char *other)
{
	return (one > other) - (one < other);
}

static int by_name(const void *a, const void *b)
{
	const struct change_entry *one = a, *other = b;
	int order = compare(one->object, other->object);

	return order ? order : compare(one->function, other->function);
}

/* The nameless functions of the file may be matched by their address. */
static bool is_one_build(const struct change_entry *first,
			 const struct change_entry *end)
{
	const char *build = NULL;

	for (const struct change_entry *entry = first; entry < end; entry++) {
		if (!entry->build)
			continue;
		if (!*entry->build || (build && build != entry->build))
			return false;
		build = entry->build;
	}
	return true;
}

/*
 * An address names a function within one build of a file only: nameless
 * functions of several builds become one row.
 */
static void join_nameless(struct comparison *comparison)
{
	struct change_entry *entry = comparison->entries;
	struct change_entry *end = entry + comparison->nr_entries;
	const char *name = own(comparison, no_symbol);

	while (entry < end) {
		struct change_entry *first = entry;

		while (entry < end && entry->object == first->object)
			entry++;
		if (is_one_build(first, entry))
			continue;
		for (; first < entry; first++)
			if (first->build)
				first->function = name;
	}
}

static void sort_entries(struct comparison *comparison)
{
	if (comparison->nr_entries)
		qsort(comparison->entries, comparison->nr_entries,
		      sizeof(*comparison->entries), by_name);
}

static size_t count_rows(const struct comparison *comparison)
{
	size_t rows = 0;

	for (size_t i = 0; i < comparison->nr_entries; i++)
		rows += !i || by_name(&comparison->entries[i - 1],
				      &comparison->entries[i]);
	return rows;
}

static struct change *add_row(struct comparison *comparison,
			      const struct change_entry *entry)
{
	size_t nr = comparison->nr_rows++;
	struct change *row = &comparison->rows[nr];

	*row = (struct change){
		.object = entry->object,
		.function = entry->function,
		.counts = comparison->counts + nr * comparison->nr_runs,
	};
	return row;
}

static void make_rows(struct comparison *comparison)
{
	size_t rows = count_rows(comparison);
	size_t counters = rows * comparison->nr_runs + 1;
	struct change *row = NULL;

	comparison->rows = profil_grow(NULL, rows + 1, sizeof(*row));
	comparison->counts =
		profil_grow(NULL, counters, sizeof(*comparison->counts));
	memset(comparison->counts, 0, counters * sizeof(*comparison->counts));
	for (size_t i = 0; i < comparison->nr_entries; i++) {
		const struct change_entry *entry = &comparison->entries[i];

		if (!row || by_name(entry - 1, entry))
			row = add_row(comparison, entry);
		row->counts[entry->run] += entry->samples;
	}
}

double profil_comparison_sum(const struct comparison *comparison,
			     enum change_side side, const double *counts)
{
	double sum = 0;

	for (uint32_t i = 0; i < comparison->nr_runs; i++)
		if (comparison->runs[i].side == side)
			sum += counts[i];
	return sum;
}

double profil_comparison_exposure(const struct comparison *comparison,
				  enum change_side side)
{
	return comparison->exposure[side];
}

uint64_t profil_comparison_recordings(const struct comparison *comparison,
				      enum change_side side)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < comparison->nr_runs; i++)
		if (comparison->runs[i].side == side)
			sum += comparison->runs[i].recordings;
	return sum;
}

static void sum_sides(const struct comparison *comparison, struct change *row)
{
	const double *counts = row->counts;

	for (enum change_side i = 0; i < SIDES; i++)
		row->samples[i] = profil_comparison_sum(comparison, i, counts);
}

static void compute_amount(const struct comparison *comparison,
			   const double *counts, double *amount)
{
	for (enum change_side side = 0; side < SIDES; side++)
		amount[side] = profil_comparison_sum(comparison, side, counts) /
			       profil_comparison_exposure(comparison, side);
}

static int by_difference(const void *a, const void *b)
{
	const struct change *one = a, *other = b;
	double x = fabs(one->amount[AFTER] - one->amount[BEFORE]);
	double y = fabs(other->amount[AFTER] - other->amount[BEFORE]);
	int order = (x < y) - (x > y);

	if (!order)
		order = strcmp(one->object, other->object);
	return order ? order : strcmp(one->function, other->function);
}

/* A share is part of its own run's samples, however many those are. */
static void expose_shares(struct comparison *comparison)
{
	for (enum change_side side = 0; side < SIDES; side++)
		comparison->exposure[side] = 0;
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		struct change_run *run = &comparison->runs[i];

		run->exposure = comparison->totals[i] / 100.0;
		comparison->exposure[run->side] += run->exposure;
	}
}

void profil_comparison_finish(struct comparison *comparison, bool is_shares)
{
	const char *lost = own(comparison, "[lost]");
	const char *none = own(comparison, "");

	compute_amount(comparison, comparison->totals, comparison->seconds);
	compute_amount(comparison, comparison->kernel,
		       comparison->kernel_seconds);
	comparison->is_shares = is_shares;
	if (is_shares)
		expose_shares(comparison);
	sort_entries(comparison);
	join_nameless(comparison);
	sort_entries(comparison);
	make_rows(comparison);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		sum_sides(comparison, row);
		compute_amount(comparison, row->counts, row->amount);
		row->is_lost = (row->object == lost && row->function == none) ||
			       (row->object == none && row->function == lost);
	}
	if (comparison->nr_rows)
		qsort(comparison->rows, comparison->nr_rows,
		      sizeof(*comparison->rows), by_difference);
}
