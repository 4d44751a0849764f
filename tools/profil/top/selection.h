/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The selected row
 *
 * The first row is selected at first. After a key, the row of these names is: it
 * stays selected where it moves in the table.
 */
#ifndef PROFIL_TOP_SELECTION_H
#define PROFIL_TOP_SELECTION_H

#include <stdbool.h>

#include "top/table.h"

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
