/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view: what is shown of rows, as columns of numbers, then names, with marks. Text, the
 * screen of `profil top`, JSON and the page are printed from views.
 */
#ifndef PROFIL_PRINT_VIEW_H
#define PROFIL_PRINT_VIEW_H

#include "print/columns.h"

/* @head: head of the first column of the side, and part of those of others */
struct view_side {
	const char *head;
	const struct rows *rows;
};

/* @kind shown of a side. @head: belongs to the view. @width: as of the kind, at first */
struct view_column {
	const struct column *kind;
	int side;
	char *head;
	int width;
};

/*
 * A row. @sides: its numbers, of which a view with one side has the first. @colour: mark
 * for a terminal, or NULL. @note: text in place of names, of a sum of rows, or NULL.
 * @guide: what is in front of the last name, of a branch, or NULL
 */
struct view_row {
	const struct row *sides[CHANGE];
	const char *colour;
	char *note;
	char *guide;
};

/**
 * struct view - a view; the first five members are set before profil_view_begin()
 * @in: kinds of the view, of enum view_kind
 * @sides: one without a head, or several
 * @nr_sides: their number
 * @heads: of the names, which stay until the end; at most ROW_NAMES
 * @nr_names: columns of names, that of the callers is the last
 * @has_callers: a further column has the callers of the rows with their shares
 * @first_note: column of the names at which notes begin
 * @columns: columns of numbers
 * @nr_columns: their number
 * @rows: rows, in their order
 * @nr: number of rows
 * @names: of each column, the names of the rows
 * @widths: characters of a column of names
 */
struct view {
	unsigned int in;
	struct view_side sides[VIEW_SIDES];
	int nr_sides;
	const char *const *heads;
	int nr_names;
	bool has_callers;
	int first_note;
	struct view_column *columns;
	int nr_columns;
	struct view_row *rows;
	size_t nr;
	char **names[ROW_NAMES + 1];
	size_t widths[ROW_NAMES + 1];
};

/* Choose the columns. */
void profil_view_begin(struct view *view);

/* Begin a view of one side, @rows with their names, of the kinds @in. */
void profil_view_begin_rows(struct view *view, unsigned int in,
			    const struct rows *rows);

/*
 * Add a row of the numbers in @first and, in a view of several sides, in @second, which
 * stay until the end, with copies of @names.
 */
void profil_view_add(struct view *view, const struct row *first,
		     const struct row *second, char *const *names,
		     const char *colour);

/*
 * Add such a row with a @note, which belongs to the view then, in place of names. One without
 * numbers and note is an empty line.
 */
void profil_view_add_note(struct view *view, const struct row *first,
			  const struct row *second, char *note);

/* Add a row of a view of one side, with a @guide, which belongs to the view then. */
void profil_view_add_branch(struct view *view, const struct row *row,
			    char *const *names, const char *colour,
			    char *guide);

/* The number of a row in a column, NAN if it has none */
double profil_view_cell(const struct view *view, const struct view_row *row,
			const struct view_column *column);

/* A row has a number in the column. */
bool profil_view_has_numbers(const struct view *view,
			     const struct view_column *column);

/* Print @number, with spaces before it up to @width characters. */
void profil_view_print_number(FILE *out, const struct view_column *column,
			      double number, int width);

/*
 * Print heads and rows as text. Names are shortened to lines of @line characters, 0 for
 * no limit; a long name before the last column moves the others only without a limit.
 */
void profil_view_print(FILE *out, struct view *view, size_t line);

void profil_view_end(struct view *view);

#endif
