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

/*
 * Rows since the last refresh, since all was set to zero, and since the beginning; the
 * first two are the sides of a view
 */
enum top_side { INTERVAL, TOTAL, ALL, TOP_SIDES };

/**
 * struct top_row - rows of one name
 * @names: names, as of struct row; they belong to the rows that were joined
 * @sides: numbers of each side, and the hottest place of ALL
 * @is_last: as of struct row
 */
struct top_row {
	char *const *names;
	struct row sides[TOP_SIDES];
	bool is_last;
};

/* The rows of each side, and all of them joined, the busiest first */
struct top_table {
	struct rows sides[TOP_SIDES];
	struct top_row *array;
	size_t nr;
};

/* Join the rows of @table->sides, which have the same keys, and remain. */
void profil_top_table_make(struct top_table *table);

/* Forget all rows. */
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
