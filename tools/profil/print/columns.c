// SPDX-License-Identifier: GPL-2.0-only
/* Columns of names at the end of the lines of a table */
#include "print/print.h"
#include "util/short_names.h"
#include "util/text.h"

/* A longer name moves the columns behind it, where lines have no limit. */
#define MAX_WIDTH 24

/* Least width of the last column, and of one before it, however narrow a terminal is */
#define MIN_LAST_WIDTH 16
#define MIN_WIDTH 8

void profil_names_begin(struct name_table *table, const char *const *heads,
			int nr, size_t before, size_t line)
{
	*table = (struct name_table){
		.heads = heads,
		.nr = nr,
		.before = before,
		.line = line,
	};
}

void profil_names_add(struct name_table *table, char *const *names)
{
	for (int i = 0; i < table->nr; i++) {
		table->names[i] = array_room(table->names[i], table->rows,
					     sizeof(*table->names[i]));
		table->names[i][table->rows] = profil_copy_string(names[i]);
	}
	table->rows++;
}

static size_t sum_of(const struct name_table *table)
{
	size_t sum = table->before;

	for (int i = 0; i < table->nr; i++)
		sum += 2 + table->widths[i];
	return sum;
}

/* The widest column before the last that can be narrower, or -1 */
static int widest(const struct name_table *table)
{
	int widest = -1;

	for (int i = 0; i < table->nr - 1; i++)
		if (table->widths[i] > MIN_WIDTH &&
		    (widest < 0 || table->widths[i] > table->widths[widest]))
			widest = i;
	return widest;
}

/* The last column has what is left of a line, or its least width. */
static void fit(struct name_table *table)
{
	size_t *last = &table->widths[table->nr - 1];
	int column;

	*last = lesser(*last, MIN_LAST_WIDTH);
	while (sum_of(table) > table->line && (column = widest(table)) >= 0)
		table->widths[column]--;
	if (table->line > sum_of(table))
		*last += table->line - sum_of(table);
	for (int i = 0; i < table->nr; i++)
		profil_short_names(table->names[i], table->rows,
				   table->widths[i],
				   profil_text_sign("…", "..."));
}

static size_t width_of(const struct name_table *table, int column)
{
	size_t most = strlen(table->heads[column]);

	for (size_t i = 0; i < table->rows; i++) {
		size_t width = profil_text_width(table->names[column][i]);

		if (width > most && (table->line || width <= MAX_WIDTH))
			most = width;
	}
	return most;
}

void profil_names_place(struct name_table *table)
{
	for (int i = 0; i < table->nr; i++)
		table->widths[i] = width_of(table, i);
	if (table->line)
		fit(table);
}

static void print(FILE *out, const struct name_table *table,
		  const char *const *names)
{
	int last = table->nr - 1;

	for (int i = 0; i < last; i++)
		fprintf(out, "  %-*s",
			profil_text_field(names[i], table->widths[i]),
			names[i]);
	fprintf(out, "  %s", names[last]);
}

void profil_names_print_heads(FILE *out, const struct name_table *table)
{
	print(out, table, table->heads);
}

void profil_names_print(FILE *out, const struct name_table *table, size_t row)
{
	const char *names[ROW_NAMES];

	for (int i = 0; i < table->nr; i++)
		names[i] = table->names[i][row];
	print(out, table, names);
}

void profil_names_end(struct name_table *table)
{
	for (int i = 0; i < table->nr; i++) {
		for (size_t row = 0; row < table->rows; row++)
			free(table->names[i][row]);
		free(table->names[i]);
	}
}
