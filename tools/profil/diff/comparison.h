/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparison of the recordings before a change with those after it
 *
 * A run is one profile of a side. A row is a function, or an object, with its
 * samples in each run. Functions are matched by the last component of their
 * file's path and their name, since a program that was built again has other
 * addresses. Where all runs have callers, a row has the samples of its function and those
 * of what it calls, too, and the callers through which these have changed.
 */
#ifndef PROFIL_COMPARISON_H
#define PROFIL_COMPARISON_H

#include "profile/rows.h"
#include "profile/tree.h"

enum change_side { BEFORE, AFTER, SIDES };

/* Kinds of rows */
enum change_by { BY_FUNCTION, BY_OBJECT };

/* What a name of a call tree is, as of struct change, and as of struct tree_name */
struct change_name {
	const char *object;
	const char *function;
	const char *build;
	enum code_kind kind;
};

/*
 * One profile. @exposure: samples in it that stand for one second of one recording; of
 * shares, for one percent of a recording. @tree: its call tree, without nodes if it has no
 * callers. @names: of the names of @tree
 */
struct change_run {
	enum change_side side;
	double samples;
	double exposure;
	struct tree tree;
	struct change_name *names;
};

/*
 * Samples that are compared
 * @counts: those in each run, @nr_counts elements
 * @samples: sum of @counts over the runs of each side
 * @amount: seconds of CPU time in a recording, or percent of its samples, of each side
 * @error: standard error of the difference of @amount; NAN if nothing is tested
 * @is_tested: there are enough samples for a test
 * @chance: probability of such a difference without a change
 * @is_sure: the difference is a change, surer than 99 %
 */
struct measure {
	double *counts;
	uint32_t nr_counts;
	double samples[SIDES];
	double amount[SIDES];
	double error;
	bool is_tested;
	double chance;
	bool is_sure;
};

/* Callers of a path, at most: more have no room in a line. */
#define PATH_CALLERS 8

/*
 * Callers of a function
 * @parent: index of the path of what the caller calls; 0 is the function itself
 * @function: the caller
 * @depth: number of callers in the path
 * @total: samples with these callers
 * @sides: those, for views
 */
struct change_path {
	uint32_t parent;
	const char *function;
	uint32_t depth;
	struct measure total;
	struct row sides[SIDES];
};

/*
 * A row
 * @object: file, or "" for samples in no file
 * @function: function; "" in rows of objects
 * @build: build ID of the file, if the function has no symbol, which is not known
 *	if it is ""; otherwise NULL. The name of such a function is an address; private
 * @self: samples in the function
 * @total: those with the function on the stack
 * @has_total: @total is known
 * @sides: numbers of each side, of all its recordings; the seconds are those of one
 * @is_lost: row of lost samples, which belong to unknown code
 * @paths: callers of a function that has surely changed, after profil_paths_find()
 * @nr_paths: number of these; 0 is the function itself
 * @via: indices of paths that have surely changed, by falling difference: the outermost
 *	callers by which these differ from others
 * @nr_via: number of these
 */
struct change {
	const char *object;
	const char *function;
	const char *build;
	struct measure self;
	struct measure total;
	bool has_total;
	struct row sides[SIDES];
	bool is_lost;
	struct change_path *paths;
	uint32_t nr_paths;
	uint32_t *via;
	size_t nr_via;
};

/*
 * All of a comparison; the members from @nr_with_callers on are private
 * @has_totals: all runs have callers, and the rows are functions
 * @lacks_callers: some have, and others have none
 * @is_shares: the rows compare shares of the samples, not seconds
 * @exposure: sum of the exposures of each side
 * @recordings: number of recordings on each side; a profile may have several
 * @sides: samples of each side, for shares of its rows
 * @seconds: CPU time of a recording, of each side
 * @rows: the rows, in their order after profil_comparison_sort()
 * @spread: of the runs of a side, after profil_significance_judge(), before it NAN
 */
struct comparison {
	enum change_by by;
	bool has_totals;
	bool lacks_callers;
	bool is_shares;
	struct change_run *runs;
	uint32_t nr_runs;
	double exposure[SIDES];
	uint64_t recordings[SIDES];
	struct rows sides[SIDES];
	double seconds[SIDES];
	double kernel_seconds[SIDES];
	struct change *rows;
	size_t nr_rows;
	size_t tested;
	size_t sure;
	double spread;
	uint32_t nr_with_callers;
	double kernel[SIDES];
	struct index_map indices;
	struct profile_strings *strings;
};

void profil_comparison_init(struct comparison *comparison, enum change_by by);
void profil_comparison_free(struct comparison *comparison);

/* Add @profile, which has samples, to @side; the seconds are those so far. */
void profil_comparison_add(struct comparison *comparison, enum change_side side,
			   const struct profile *profile);

/* Make the rows, after the last profile, of seconds or of shares. */
void profil_comparison_finish(struct comparison *comparison, bool is_shares);

/*
 * Sort the rows by falling difference; with totals, those of functions that have surely
 * changed themselves come first, and those whose total alone has are next.
 */
void profil_comparison_sort(struct comparison *comparison);

/* Add samples of @run; a measure has counts up to the last run with samples. */
void profil_measure_add(struct measure *measure, uint32_t run, double samples);

/* Set the samples and the amounts of each side. */
void profil_measure_sum(const struct comparison *comparison,
			struct measure *measure);

#endif
