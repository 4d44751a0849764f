/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of two moments of a recording, side by side, of which one is selected
 *
 * The first row is selected at first. After a key, the row of these names is: it
 * stays selected where it moves in the table.
 */
#ifndef PROFIL_TOP_TABLE_H
#define PROFIL_TOP_TABLE_H

#include <stdbool.h>

#include "profile/rows.h"

/**
 * struct top_row - rows of one name
 * @names: names, as of struct row; they belong to the rows that were read last
 * @interval: samples since the last refresh
 * @total: samples since the beginning, or since all was set to zero
 * @hottest: as of struct row
 * @is_now: the row is one of those that were read last, as all of a table are
 */
struct top_row {
	char *const *names;
	double interval;
	double total;
	const struct profile_place *hottest;
	bool is_now;
};

/**
 * struct top_table - all rows
 * @array: the rows, the busiest first
 * @nr: elements of @array
 * @interval: sum of the samples since the last refresh
 * @total: sum of the samples since the beginning
 */
struct top_table {
	struct top_row *array;
	size_t nr;
	double interval;
	double total;
};

/*
 * Compare the rows @now with those of the last refresh, @before, and of the
 * beginning, @zero. All have the same keys, and @table refers to the names of @now.
 */
void profil_top_table_make(struct top_table *table, const struct rows *now,
			   const struct rows *before, const struct rows *zero);
void profil_top_table_free(struct top_table *table);

/**
 * struct selection - the selected row; all 0 at first
 * @names: its names, of its own
 * @has_names: a row was selected by a key
 * @index: index in the table
 * @first: index of the first row that is shown
 * @step: rows to move by; negative is up
 */
struct selection {
	char *names[ROW_NAMES];
	bool has_names;
	size_t index;
	size_t first;
	long step;
};

/*
 * Find the row in @table, move by @selection->step, and let the row be among the
 * @shown rows from @selection->first on.
 */
void profil_selection_place(struct selection *selection,
			    const struct top_table *table, size_t shown);

/* Select the first row again, also to free the names. */
void profil_selection_reset(struct selection *selection);

#endif
