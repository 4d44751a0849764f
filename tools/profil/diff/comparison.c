// SPDX-License-Identifier: GPL-2.0-only
/* Comparison: from profiles to rows */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/comparison.h"
#include "profile/strings.h"
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
	uint64_t samples;
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

/* Room for one element more than @nr */
static void *with_room(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return profil_grow(array, nr ? 2 * nr : 1, size);
}

static void add_entry(struct comparison *comparison,
		      const struct change_entry *entry)
{
	comparison->entries = with_room(comparison->entries,
					comparison->nr_entries,
					sizeof(*comparison->entries));
	comparison->entries[comparison->nr_entries++] = *entry;
}

static const char *build_of(struct comparison *comparison,
			    const struct profile_object *object)
{
	char text[2 * PROFILE_BUILD_ID + 1] = "";

	for (uint32_t i = 0; i < object->build_id_size; i++)
		sprintf(text + 2 * i, "%02x", object->build_id[i]);
	return own(comparison, text);
}

/* Name of code that is in no file */
static const char *outside_name(struct comparison *comparison,
				const struct profile_object *object)
{
	const char *name;
	char *text;

	if (object->kind != PROFILE_JIT)
		return own(comparison, "[outside]");
	if (asprintf(&text, "[jit: %s]", profil_text_base(object->path)) < 0)
		return own(comparison, "[jit]");
	name = own(comparison, text);
	free(text);
	return name;
}

static void name_function(struct comparison *comparison,
			  const struct profile *profile,
			  const struct profile_place *place,
			  struct change_entry *entry)
{
	const struct profile_object *object = &profile->objects[place->object];
	const struct profile_function *function;

	if (place->function == PROFILE_NONE) {
		entry->function = outside_name(comparison, object);
		return;
	}
	function = &profile->functions[place->function];
	entry->function = own(comparison, function->name);
	if (!*function->symbol && object->kind == PROFILE_FILE)
		entry->build = build_of(comparison, object);
}

/* Places of a function follow each other. */
static bool is_same_row(const struct comparison *comparison,
			const struct profile_place *one,
			const struct profile_place *other)
{
	return one->object == other->object &&
	       (comparison->by == BY_OBJECT ||
		one->function == other->function);
}

static void add_places(struct comparison *comparison,
		       const struct profile *profile, uint32_t run)
{
	const struct profile_place *end = profile->places + profile->nr_places;

	for (const struct profile_place *place = profile->places;
	     place < end;) {
		const struct profile_place *first = place;
		const char *path = profile->objects[place->object].path;
		struct change_entry entry = {
			.object = own(comparison, profil_text_base(path)),
			.function = own(comparison, ""),
			.run = run,
		};

		if (comparison->by == BY_FUNCTION)
			name_function(comparison, profile, first, &entry);
		for (; place < end && is_same_row(comparison, first, place);
		     place++)
			entry.samples += place->user + place->kernel;
		add_entry(comparison, &entry);
	}
}

static void add_special(struct comparison *comparison, const char *name,
			uint64_t samples, uint32_t run)
{
	const char *none = own(comparison, "");
	const char *own_name = own(comparison, name);
	bool is_object = comparison->by == BY_OBJECT;
	struct change_entry entry = {
		.object = is_object ? own_name : none,
		.function = is_object ? none : own_name,
		.run = run,
		.samples = samples,
	};

	if (samples)
		add_entry(comparison, &entry);
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
	uint32_t run = comparison->nr_runs;

	add_run(comparison, side, profile);
	add_places(comparison, profile, run);
	add_special(comparison, "[outside]", profile->head.outside, run);
	add_special(comparison, "[lost]", profile->head.lost, run);
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

static void make_rows(struct comparison *comparison)
{
	size_t rows = count_rows(comparison);
	size_t counters = rows * comparison->nr_runs + 1;
	struct change *row = profil_grow(NULL, rows + 1, sizeof(*row));

	comparison->rows = row--;
	comparison->nr_rows = rows;
	comparison->counts =
		profil_grow(NULL, counters, sizeof(*comparison->counts));
	memset(comparison->counts, 0, counters * sizeof(*comparison->counts));
	for (size_t i = 0; i < comparison->nr_entries; i++) {
		const struct change_entry *entry = &comparison->entries[i];

		if (!i || by_name(entry - 1, entry))
			*++row = (struct change){
				.object = entry->object,
				.function = entry->function,
				.counts = comparison->counts +
					  (row - comparison->rows) *
						  comparison->nr_runs,
			};
		row->counts[entry->run] += entry->samples;
	}
}

double profil_comparison_sum(const struct comparison *comparison,
			     enum change_side side, const uint64_t *counts)
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
	const uint64_t *counts = row->counts;

	for (enum change_side i = 0; i < SIDES; i++)
		row->samples[i] = profil_comparison_sum(comparison, i, counts);
}

static void compute_seconds(const struct comparison *comparison,
			    const uint64_t *counts, double *seconds)
{
	for (enum change_side side = 0; side < SIDES; side++)
		seconds[side] =
			profil_comparison_sum(comparison, side, counts) /
			profil_comparison_exposure(comparison, side);
}

static int by_difference(const void *a, const void *b)
{
	const struct change *one = a, *other = b;
	double x = fabs(one->seconds[AFTER] - one->seconds[BEFORE]);
	double y = fabs(other->seconds[AFTER] - other->seconds[BEFORE]);
	int order = (x < y) - (x > y);

	if (!order)
		order = strcmp(one->object, other->object);
	return order ? order : strcmp(one->function, other->function);
}

void profil_comparison_finish(struct comparison *comparison)
{
	const char *lost = own(comparison, "[lost]");
	const char *none = own(comparison, "");

	sort_entries(comparison);
	join_nameless(comparison);
	sort_entries(comparison);
	make_rows(comparison);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		sum_sides(comparison, row);
		compute_seconds(comparison, row->counts, row->seconds);
		row->is_lost = (row->object == lost && row->function == none) ||
			       (row->object == none && row->function == lost);
	}
	if (comparison->nr_rows)
		qsort(comparison->rows, comparison->nr_rows,
		      sizeof(*comparison->rows), by_difference);
	compute_seconds(comparison, comparison->totals, comparison->seconds);
	compute_seconds(comparison, comparison->kernel,
			comparison->kernel_seconds);
}
