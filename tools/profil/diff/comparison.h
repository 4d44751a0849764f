/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparison of the recordings before a change with those after it
 *
 * A run is one profile of a side. A row is a function, or an object, with its
 * samples in each run. Functions are matched by the last component of their
 * file's path and their name, since a program that was built again has other
 * addresses.
 */
#ifndef PROFIL_COMPARISON_H
#define PROFIL_COMPARISON_H

#include "profile/rows.h"

enum change_side { BEFORE, AFTER, SIDES };

/* Kinds of rows */
enum change_by { BY_FUNCTION, BY_OBJECT };

/*
 * One profile. @exposure: samples in it that stand for one second of one recording; of
 * shares, for one percent of a recording
 */
struct change_run {
	enum change_side side;
	double samples;
	double exposure;
};

/*
 * A row
 * @object: file, or "" for samples in no file
 * @function: function; "" in rows of objects
 * @build: build ID of the file, if the function has no symbol, which is not known
 *	if it is ""; otherwise NULL. The name of such a function is an address; private
 * @counts: samples in each run
 * @sides: numbers of each side, of all its recordings; the seconds are those of one
 * @samples: sum of @counts over the runs of each side
 * @amount: seconds of CPU time in a recording, or percent of its samples, of each
 *	side
 * @is_lost: row of lost samples, which belong to unknown code
 * @is_tested: the row has enough samples for a test
 * @chance: probability of such a difference without a change
 * @is_sure: the difference is a change, surer than 99 %
 */
struct change {
	const char *object;
	const char *function;
	const char *build;
	double *counts;
	uint32_t nr_counts;
	struct row sides[SIDES];
	double samples[SIDES];
	double amount[SIDES];
	bool is_lost;
	bool is_tested;
	double chance;
	bool is_sure;
};

/*
 * All of a comparison; the last three members are private
 * @is_shares: the rows compare shares of the samples, not seconds
 * @exposure: sum of the exposures of each side
 * @recordings: number of recordings on each side; a profile may have several
 * @sides: samples of each side, for shares of its rows
 * @seconds: CPU time of a recording, of each side
 * @rows: the rows, by falling difference
 */
struct comparison {
	enum change_by by;
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

#endif
