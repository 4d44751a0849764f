/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of an interval and of all time, side by side, of which one is selected
 *
 * The first row is selected at first. After a key, the row of these names is: it
 * stays selected where it moves in the table.
 */
#ifndef PROFIL_TOP_TABLE_H
#define PROFIL_TOP_TABLE_H

#include "profile/rows.h"

/* The sides of a view of them */
enum top_side { INTERVAL, TOTAL, TOP_SIDES };

/**
 * struct top_row - rows of one name
 * @names: names, as of struct row; they belong to the rows that were joined
 * @sides: numbers since the last refresh, and since the beginning, or since all was set
 *	to zero
 * @is_last: as of struct row
 * @hottest: as of struct row, of those since the beginning of the recording
 */
struct top_row {
	char *const *names;
	struct row sides[TOP_SIDES];
	bool is_last;
	const struct profile_place *hottest;
};

/* All rows, the busiest first, and the rows of each side */
struct top_table {
	struct top_row *array;
	size_t nr;
	const struct rows *sides[TOP_SIDES];
};

/*
 * Join @all rows with those since all was set to zero, @total, and those of the last
 * @interval. They have the same keys; @all has each name, and all remain while @table
 * is used.
 */
void profil_top_table_make(struct top_table *table, const struct rows *all,
			   const struct rows *total,
			   const struct rows *interval);
void profil_top_table_free(struct top_table *table);

/**
 * struct selection - the selected row; all 0 at first
 * @names: its names, of its own, after it was selected by a key
 * @index: index in the table
 * @first: index of the first row that is shown
 * @step: rows to move by; negative is up
 */
struct selection {
	char *names[ROW_NAMES];
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
