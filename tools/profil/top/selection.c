// SPDX-License-Identifier: GPL-2.0-only
/* The selected row */
#include <stdlib.h>
#include <string.h>

#include "top/selection.h"
#include "util/memory.h"

static void forget_names(struct selection *selection)
{
	for (int i = 0; i < ROW_NAMES; i++)
		free(selection->names[i]);
	memset(selection->names, 0, sizeof(selection->names));
	selection->has_names = false;
}

static void keep_names(struct selection *selection, const struct top_row *row)
{
	forget_names(selection);
	for (int i = 0; i < ROW_NAMES && row->names[i]; i++)
		selection->names[i] = profil_copy_string(row->names[i]);
	selection->has_names = true;
}

/* A row that is gone leaves its place to the row that is there now. */
static void find(struct selection *selection, const struct top_table *table)
{
	struct top_row key = { .names = selection->names };

	if (!selection->has_names)
		selection->index = 0;
	for (size_t i = 0; selection->has_names && i < table->nr; i++) {
		if (!profil_top_row_compare(&key, &table->array[i])) {
			selection->index = i;
			return;
		}
	}
	if (selection->index >= table->nr)
		selection->index = table->nr - 1;
}

static void move(struct selection *selection, const struct top_table *table)
{
	size_t last = table->nr - 1;
	long step = selection->step;

	if (step < 0 && selection->index < (size_t)-step)
		selection->index = 0;
	else if (step > 0 && last - selection->index < (size_t)step)
		selection->index = last;
	else
		selection->index += step;
	if (step)
		keep_names(selection, &table->array[selection->index]);
}

void profil_selection_place(struct selection *selection,
			    const struct top_table *table, size_t shown)
{
	if (!table->nr) {
		selection->first = 0;
		return;
	}
	find(selection, table);
	move(selection, table);
	selection->step = 0;
	if (selection->first + shown > table->nr)
		selection->first = table->nr > shown ? table->nr - shown : 0;
	if (selection->index < selection->first)
		selection->first = selection->index;
	else if (selection->index >= selection->first + shown)
		selection->first = selection->index - shown + 1;
}

void profil_selection_reset(struct selection *selection)
{
	forget_names(selection);
	*selection = (struct selection){ 0 };
}
