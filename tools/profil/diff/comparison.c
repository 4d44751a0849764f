// SPDX-License-Identifier: GPL-2.0-only
/* Comparison: from profiles to rows */
#include <math.h>

#include "diff/comparison.h"
#include "util/text.h"

/* Name of a row for functions without a symbol, of files that differ */
static const char no_symbol[] = "[no symbol]";

void profil_comparison_init(struct comparison *comparison, enum change_by by)
{
	*comparison = (struct comparison){
		.by = by,
		.spread = NAN,
		.strings = profil_strings_new(),
	};
}

static void free_row(struct change *row)
{
	for (uint32_t i = 0; i < row->nr_paths; i++)
		free(row->paths[i].total.counts);
	free(row->paths);
	free(row->via);
	free(row->self.counts);
	free(row->total.counts);
}

void profil_comparison_free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_rows; i++)
		free_row(&comparison->rows[i]);
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		profil_tree_free(&comparison->runs[i].tree);
		free(comparison->runs[i].names);
	}
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

/* The build of the file of @function, if that has no symbol; otherwise NULL */
static const char *build_of(struct comparison *comparison,
			    const struct profile *profile, uint32_t index,
			    uint32_t function)
{
	const struct profile_object *object = &profile->objects[index];
	char text[2 * FILE_BUILD_ID + 1];

	if (function == PROFILE_NONE || object->kind != PROFILE_FILE ||
	    profile->functions[function].is_inlined ||
	    *profile->functions[function].symbol)
		return NULL;
	profil_object_build_id(object, text);
	return own(comparison, text);
}

/* The hottest place of a row has the build of all its places. */
static const char *build_of_row(struct comparison *comparison,
				const struct profile *profile,
				const struct row *row)
{
	const struct profile_place *place =
		profile_place_of(profile, row->hottest);

	return build_of(comparison, profile, place->object, place->function);
}

/* The row with the names of @wanted, which is added if there is none */
static struct change *row_of(struct comparison *comparison,
			     const struct change *wanted)
{
	struct index_key key = { { (uintptr_t)wanted->object,
				   (uintptr_t)wanted->function,
				   (uintptr_t)wanted->build } };
	uint32_t index = profil_index_map_add(&comparison->indices, key,
					      comparison->nr_rows);

	if (index == comparison->nr_rows)
		ARRAY_ADD(comparison->rows, comparison->nr_rows, *wanted);
	return &comparison->rows[index];
}

void profil_measure_add(struct measure *measure, uint32_t run, double samples)
{
	while (measure->nr_counts <= run)
		ARRAY_ADD(measure->counts, measure->nr_counts, 0);
	measure->counts[run] += samples;
}

/* Add @row of the last run. */
static void add_row(const struct comparison *comparison, struct change *to,
		    const struct row *row)
{
	uint32_t run = comparison->nr_runs - 1;

	profil_measure_add(&to->self, run, row->samples);
	profil_measure_add(&to->total, run, row->total);
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
				     .by_base = true,
				     .has_totals = comparison->by ==
						   BY_FUNCTION };
	struct rows rows;

	profil_rows_read(&rows, profile, &choice);
	for (size_t i = 0; i < rows.nr; i++)
		add_row_of_run(comparison, profile, &rows.array[i]);
	profil_rows_free(&rows);
}

/* Names of the tree as of rows, for when the profile is gone */
static void add_names(struct comparison *comparison,
		      const struct profile *profile, struct change_run *run)
{
	run->names = profil_zeros(run->tree.nr_names + 1, sizeof(*run->names));
	for (uint32_t i = 0; i < run->tree.nr_names; i++) {
		const struct tree_name *name = &run->tree.names[i];
		bool has_object = name->object != PROFILE_NONE;
		const char *path =
			has_object ? profile->objects[name->object].path : "";

		run->names[i].object = own(comparison, profil_text_base(path));
		run->names[i].function = own(comparison, name->text);
		run->names[i].kind = name->kind;
		if (has_object)
			run->names[i].build = build_of(comparison, profile,
						       name->object,
						       name->function);
	}
}

static void add_tree(struct comparison *comparison,
		     const struct profile *profile)
{
	struct change_run *run = &comparison->runs[comparison->nr_runs - 1];

	comparison->nr_with_callers += !!profile->nr_stacks;
	if (comparison->by != BY_FUNCTION || !profile->nr_stacks)
		return;
	profil_tree_read(&run->tree, profile, false, profil_copy_string);
	add_names(comparison, profile, run);
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
	add_tree(comparison, profile);
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

static bool is_mixed(const struct index_map *mixed, const char *object,
		     const char *build)
{
	struct index_key key = { { (uintptr_t)object } };

	return build && profil_index_map_find(mixed, key) != INDEX_NONE;
}

static void join_row(struct comparison *comparison, const struct change *from,
		     bool is_joined)
{
	struct change wanted = {
		.object = from->object,
		.function = is_joined ? own(comparison, no_symbol) :
					from->function,
		.has_total = comparison->has_totals && !is_joined,
	};
	struct change *row = row_of(comparison, &wanted);

	for (uint32_t run = 0; run < from->self.nr_counts; run++) {
		profil_measure_add(&row->self, run, from->self.counts[run]);
		profil_measure_add(&row->total, run, from->total.counts[run]);
	}
	profil_measure_add(&row->self, comparison->nr_runs - 1, 0);
	profil_measure_add(&row->total, comparison->nr_runs - 1, 0);
}

static bool has_samples(const struct change *row)
{
	for (uint32_t run = 0; run < row->self.nr_counts; run++)
		if (row->self.counts[run])
			return true;
	return false;
}

/*
 * An address names a function within one build of a file only: nameless
 * functions of several builds become one row, whose total is not known. Without
 * totals, rows are those of functions that have samples.
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
		if (comparison->has_totals || has_samples(&rows[i]))
			join_row(comparison, &rows[i],
				 is_mixed(&mixed, rows[i].object,
					  rows[i].build));
		free_row(&rows[i]);
	}
	free(rows);
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		struct change_run *run = &comparison->runs[i];

		for (uint32_t j = 0; j < run->tree.nr_names; j++)
			if (is_mixed(&mixed, run->names[j].object,
				     run->names[j].build))
				run->names[j].function =
					own(comparison, no_symbol);
	}
	profil_index_map_free(&mixed);
}

void profil_measure_sum(const struct comparison *comparison,
			struct measure *measure)
{
	measure->error = NAN;
	for (uint32_t i = 0; i < measure->nr_counts; i++)
		measure->samples[comparison->runs[i].side] +=
			measure->counts[i];
	for (enum change_side side = 0; side < SIDES; side++)
		measure->amount[side] =
			measure->samples[side] / comparison->exposure[side];
}

static void sum_sides(const struct comparison *comparison, struct change *row)
{
	profil_measure_sum(comparison, &row->self);
	profil_measure_sum(comparison, &row->total);
	for (enum change_side side = 0; side < SIDES; side++)
		row->sides[side] = (struct row){
			.samples = row->self.samples[side],
			.seconds = row->self.amount[side],
			.total = row->has_total ? row->total.samples[side] :
						  NAN,
			.error = NAN,
		};
}

static double difference(const struct measure *measure)
{
	return fabs(measure->amount[AFTER] - measure->amount[BEFORE]);
}

static int by_difference(const void *a, const void *b)
{
	const struct change *one = a, *other = b;

	return compare_reals(difference(&other->self), difference(&one->self)) ?:
		       strcmp(one->object, other->object) ?:
		       strcmp(one->function, other->function);
}

/* Functions that have changed themselves, then those that call these, then others */
static int rank(const struct change *row)
{
	return row->self.is_sure ? 0 : row->total.is_sure ? 1 : 2;
}

static int by_rank(const void *a, const void *b)
{
	const struct change *one = a, *other = b;
	int order = rank(one) - rank(other);

	if (!order && rank(one) == 1)
		order = compare_reals(difference(&other->total),
				      difference(&one->total));
	return order ?: by_difference(a, b);
}

void profil_comparison_sort(struct comparison *comparison)
{
	ARRAY_SORT(comparison->rows, comparison->nr_rows,
		   comparison->has_totals ? by_rank : by_difference);
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

/* For views: what a sample of a side stands for in its seconds */
static void set_sides(struct comparison *comparison)
{
	for (enum change_side side = 0; side < SIDES; side++) {
		comparison->sides[side].has_totals = comparison->has_totals;
		comparison->sides[side].period = 1 / comparison->exposure[side];
	}
}

void profil_comparison_finish(struct comparison *comparison, bool is_shares)
{
	const char *lost = own(comparison, "[lost]");
	const char *none = own(comparison, "");
	uint32_t with_callers = comparison->nr_with_callers;

	comparison->is_shares = is_shares;
	comparison->has_totals = comparison->by == BY_FUNCTION &&
				 with_callers == comparison->nr_runs;
	comparison->lacks_callers = comparison->by == BY_FUNCTION &&
				    with_callers &&
				    with_callers < comparison->nr_runs;
	if (is_shares)
		expose_shares(comparison);
	set_sides(comparison);
	join_nameless(comparison);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		sum_sides(comparison, row);
		row->is_lost = (row->object == lost && row->function == none) ||
			       (row->object == none && row->function == lost);
	}
}
