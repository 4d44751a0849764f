// SPDX-License-Identifier: GPL-2.0-only
/* A view of rows, and its text: columns of numbers, and of names at the end of the lines */
#include "print/view.h"
#include "util/output.h"
#include "util/short_names.h"
#include "util/text.h"

static char *head_of(const struct view *view, const struct column *kind,
		     int side)
{
	const char *of_side = view->sides[side].head;
	const char *head = kind->head;

	if (head && kind->ascii)
		head = profil_text_sign(head, kind->ascii);
	if (head && of_side && !kind->sides)
		return profil_format("%s %s", head, of_side);
	return profil_copy_string(head ?: of_side ?: "");
}

void profil_view_begin(struct view *view)
{
	for (const struct column *kind = profil_columns; kind->in; kind++)
		for (int side = 0; side < view->nr_sides; side++) {
			struct view_column column = { kind, side };

			if (!(kind->in & view->in) ||
			    (kind->sides && !(kind->sides & 1 << side)))
				continue;
			column.head = head_of(view, kind, side);
			column.width = kind->width;
			ARRAY_ADD(view->columns, view->nr_columns, column);
		}
}

void profil_view_begin_rows(struct view *view, unsigned int in,
			    const struct rows *rows)
{
	*view = (struct view){
		.in = in,
		.sides = { { .rows = rows } },
		.nr_sides = 1,
		.heads = rows->heads,
		.nr_names = rows->nr_names,
		.has_callers = in & IN_TABLE && rows->has_callers,
	};
	view->nr_names += view->has_callers;
	profil_view_begin(view);
}

static bool is_of_callers(const struct view *view, int column)
{
	return view->has_callers && column + 1 == view->nr_names;
}

static const char *name_of(const struct view *view, const struct view_row *row,
			   char *const *names, int column)
{
	if (!names)
		return "";
	return is_of_callers(view, column) ? row->sides[FIRST_SIDE]->caller :
					     names[column];
}

static const char *head_of_names(const struct view *view, int column)
{
	return is_of_callers(view, column) ? "called by" : view->heads[column];
}

static void add(struct view *view, const struct view_row *row,
		char *const *names)
{
	for (int i = 0; i < view->nr_names; i++) {
		view->names[i] = array_room(view->names[i], view->nr,
					    sizeof(*view->names[i]));
		view->names[i][view->nr] =
			profil_copy_string(name_of(view, row, names, i));
	}
	ARRAY_ADD(view->rows, view->nr, *row);
}

void profil_view_add(struct view *view, const struct row *first,
		     const struct row *second, char *const *names,
		     const char *colour)
{
	struct view_row row = { { first, second }, .colour = colour };

	add(view, &row, names);
}

void profil_view_add_note(struct view *view, const struct row *first,
			  const struct row *second, char *note)
{
	struct view_row row = { { first, second }, .note = note };

	add(view, &row, NULL);
}

void profil_view_add_branch(struct view *view, const struct row *row,
			    char *const *names, const char *colour, char *guide)
{
	struct view_row line = {
		{ row },
		.colour = colour,
		.guide = guide,
	};

	add(view, &line, names);
}

static double number_of(const struct view *view, const struct view_row *row,
			const struct column *kind, int side)
{
	const struct row *of_side = row->sides[side];
	const void *number = (const char *)of_side + kind->number;

	return kind->value ? kind->value(view->sides[side].rows, of_side) :
			     *(const double *)number;
}

double profil_view_cell(const struct view *view, const struct view_row *row,
			const struct view_column *column)
{
	if (!row->sides[FIRST_SIDE])
		return NAN;
	if (column->side < CHANGE)
		return number_of(view, row, column->kind, column->side);
	return number_of(view, row, column->kind, SECOND_SIDE) -
	       number_of(view, row, column->kind, FIRST_SIDE);
}

/* Columns of numbers */

bool profil_view_has_numbers(const struct view *view,
			     const struct view_column *column)
{
	for (size_t i = 0; i < view->nr; i++)
		if (!isnan(profil_view_cell(view, &view->rows[i], column)))
			return true;
	return false;
}

/* A column that is not shown has no width. */
static size_t place_numbers(struct view *view)
{
	size_t sum = 0;

	for (int i = 0; i < view->nr_columns; i++) {
		struct view_column *column = &view->columns[i];
		int least = profil_text_width(column->head) + !!i;

		if (column->width < least)
			column->width = least;
		if (column->kind->is_optional &&
		    !profil_view_has_numbers(view, column))
			column->width = 0;
		sum += column->width;
	}
	return sum;
}

void profil_view_print_number(FILE *out, const struct view_column *column,
			      double number, int width)
{
	const char *unit = column->kind->unit ?: "";
	int length = strlen(unit);

	if (isnan(number))
		fprintf(out, "%*s", width, "");
	else
		fprintf(out, column->side == CHANGE ? "%+*.*f%s" : "%*.*f%s",
			width > length ? width - length : 0,
			column->kind->digits, number, unit);
}

/* A space at least is before a number that is not in the first column. */
static void print_numbers(FILE *out, const struct view *view,
			  const struct view_row *row)
{
	for (int i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];

		if (!column->width)
			continue;
		if (i)
			fputc(' ', out);
		profil_view_print_number(out, column,
					 profil_view_cell(view, row, column),
					 column->width - !!i);
	}
}

/* Columns of names */

/* A longer name moves the columns behind it, where lines have no limit. */
#define MAX_WIDTH 24

/* Characters of the share behind a caller */
#define SHARE_WIDTH 6

/* Least width of the last column, and of one before it, however narrow a terminal is */
#define MIN_LAST_WIDTH 16
#define MIN_WIDTH 8

static size_t sum_of(const struct view *view, size_t before)
{
	for (int i = 0; i < view->nr_names; i++)
		before += 2 + view->widths[i];
	return before;
}

static bool has_caller(const struct view *view, size_t index)
{
	const struct view_row *row = &view->rows[index];

	return view->has_callers && !row->note &&
	       *row->sides[FIRST_SIDE]->caller;
}

/* The widest column before the last that can be narrower, or -1 */
static int widest(const struct view *view)
{
	int widest = -1;

	for (int i = 0; i < view->nr_names - 1; i++)
		if (view->widths[i] > MIN_WIDTH &&
		    (widest < 0 || view->widths[i] > view->widths[widest]))
			widest = i;
	return widest;
}

static size_t guide_of(const struct view *view, size_t index)
{
	return view->rows[index].guide ?
		       profil_text_width(view->rows[index].guide) :
		       0;
}

static size_t widest_guide(const struct view *view)
{
	size_t widest = 0;

	for (size_t i = 0; i < view->nr; i++)
		if (guide_of(view, i) > widest)
			widest = guide_of(view, i);
	return widest;
}

/* A name has what its guide leaves of the column. */
static void shorten_branches(struct view *view, int column)
{
	for (size_t i = 0; i < view->nr; i++) {
		char *name = view->names[column][i];
		size_t width = view->widths[column] - guide_of(view, i);

		view->names[column][i] = profil_short_name(name, width);
		free(name);
	}
}

/* Shorten the names in @column of the rows that have a caller, or of those that have none. */
static void shorten_some(struct view *view, int column, bool have_callers,
			 size_t width)
{
	char **names = profil_grow(NULL, view->nr + 1, sizeof(*names));
	char **all = view->names[column];
	size_t nr = 0;

	for (size_t i = 0; i < view->nr; i++)
		if (has_caller(view, i) == have_callers)
			names[nr++] = all[i];
	profil_short_names(names, nr, width, profil_text_sign("…", "..."));
	nr = 0;
	for (size_t i = 0; i < view->nr; i++)
		if (has_caller(view, i) == have_callers)
			all[i] = names[nr++];
	free(names);
}

/* Before no caller, a name has the room of the caller, too. */
static void shorten(struct view *view, int column)
{
	size_t width = view->widths[column], more = width;

	if (column == view->nr_names - 1 && widest_guide(view)) {
		shorten_branches(view, column);
		return;
	}
	if (view->has_callers && column + 2 == view->nr_names)
		more += 2 + view->widths[column + 1] + SHARE_WIDTH;
	shorten_some(view, column, true, width);
	shorten_some(view, column, false, more);
}

/* The last column has what is left of a line, or its least width. */
static void fit(struct view *view, size_t before, size_t line)
{
	size_t *last = &view->widths[view->nr_names - 1];
	int column;

	*last = lesser(*last, MIN_LAST_WIDTH + widest_guide(view));
	while (sum_of(view, before) > line && (column = widest(view)) >= 0)
		view->widths[column]--;
	if (line > sum_of(view, before))
		*last += line - sum_of(view, before);
	for (int i = 0; i < view->nr_names; i++)
		shorten(view, i);
}

static size_t width_of(const struct view *view, int column, size_t line)
{
	size_t most = strlen(head_of_names(view, column));

	for (size_t i = 0; i < view->nr; i++) {
		size_t width =
			profil_text_width(view->names[column][i]) +
			(column == view->nr_names - 1 ? guide_of(view, i) : 0);

		if (width > most && (line || width <= MAX_WIDTH))
			most = width;
	}
	return most;
}

static void place_names(struct view *view, size_t before, size_t line)
{
	for (int i = 0; i < view->nr_names; i++)
		view->widths[i] = width_of(view, i, line);
	if (line)
		fit(view, before, line);
}

static void print_name(FILE *out, const struct view *view, int column,
		       const char *name)
{
	int width = profil_text_field(name, view->widths[column]);

	fprintf(out, "  %-*s", column + 1 < view->nr_names ? width : 0, name);
}

/* The share of a caller is behind it; no spaces are at the end of a row without one. */
static void print_names(FILE *out, const struct view *view, size_t index)
{
	const struct row *row = view->rows[index].sides[FIRST_SIDE];
	const char *guide = view->rows[index].guide ?: "";
	bool has_share = has_caller(view, index);
	int last = view->nr_names - 1 - (view->has_callers && !has_share);

	for (int i = 0; i < last; i++)
		print_name(out, view, i, view->names[i][index]);
	fprintf(out, "  %s%s", guide, view->names[last][index]);
	if (has_share)
		fprintf(out, " %.0f %%",
			100 * row->caller_samples / row->samples);
}

static void print_note(FILE *out, const struct view *view, const char *note)
{
	for (int i = 0; i < view->first_note; i++)
		print_name(out, view, i, "");
	fprintf(out, "  %s", note);
}

/* All */

static void print_heads(FILE *out, const struct view *view)
{
	for (int i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];

		if (column->width)
			fprintf(out, "%*s",
				profil_text_field(column->head, column->width),
				column->head);
	}
	for (int i = 0; i < view->nr_names; i++)
		print_name(out, view, i, head_of_names(view, i));
	fputc('\n', out);
}

static void print_row(FILE *out, const struct view *view, size_t index)
{
	const struct view_row *row = &view->rows[index];

	if (row->colour)
		fputs(row->colour, out);
	if (row->sides[FIRST_SIDE])
		print_numbers(out, view, row);
	if (row->note)
		print_note(out, view, row->note);
	else if (row->sides[FIRST_SIDE])
		print_names(out, view, index);
	fprintf(out, "%s\n", row->colour ? PLAIN : "");
}

void profil_view_print(FILE *out, struct view *view, size_t line)
{
	place_names(view, place_numbers(view), line);
	print_heads(out, view);
	for (size_t i = 0; i < view->nr; i++)
		print_row(out, view, i);
}

void profil_view_end(struct view *view)
{
	for (int i = 0; i < view->nr_names; i++) {
		for (size_t row = 0; row < view->nr; row++)
			free(view->names[i][row]);
		free(view->names[i]);
	}
	for (size_t i = 0; i < view->nr; i++) {
		free(view->rows[i].note);
		free(view->rows[i].guide);
	}
	for (int i = 0; i < view->nr_columns; i++)
		free(view->columns[i].head);
	free(view->rows);
	free(view->columns);
}
