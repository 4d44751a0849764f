// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as a table */
#include <math.h>

#include "diff/comparison.h"
#include "diff/table.h"
#include "html/print.h"
#include "util/output.h"
#include "util/short_names.h"
#include "util/text.h"

/* Lines of a row for the callers through which it has changed */
#define MAX_VIA 3

/*
 * Of a path on a terminal: the column where it begins, the characters that it always has,
 * and those beside the names of two callers
 */
#define NAMES_AT 55
#define LEAST_ROOM 25
#define MORE_THAN_NAMES 13

/*
 * A comparison while it is printed, to @out, or as a page if that is NULL; rows with a
 * smaller difference than @least are hidden
 */
struct diff_table {
	FILE *out;
	const struct comparison *comparison;
	double least;
	size_t hidden;
};

static double difference(const double *seconds)
{
	return seconds[AFTER] - seconds[BEFORE];
}

static bool is_sure(const struct change *row)
{
	return row->self.is_sure || row->total.is_sure;
}

double profil_change_least(const struct comparison *comparison, double limit)
{
	const double *seconds = comparison->seconds;
	double all = fmax(seconds[BEFORE], seconds[AFTER]);

	return comparison->is_shares ? limit : limit / 100 * all;
}

bool profil_change_is_small(const struct change *row, double least)
{
	return !is_sure(row) && fabs(difference(row->self.amount)) < least &&
	       (!row->has_total || fabs(difference(row->total.amount)) < least);
}

static bool is_small(const struct diff_table *table, const struct change *row)
{
	return profil_change_is_small(row, table->least);
}

static bool is_shown(const struct diff_table *table, const struct change *row)
{
	return !table->hidden || !is_small(table, row);
}

/* One hidden row would need the line of hidden rows: it is shown instead. */
static void hide(struct diff_table *table, double limit)
{
	const struct comparison *comparison = table->comparison;

	table->least = profil_change_least(comparison, limit);
	for (size_t i = 0; i < comparison->nr_rows; i++)
		table->hidden += is_small(table, &comparison->rows[i]);
	if (table->hidden == 1)
		table->hidden = 0;
}

static void print_runs(const struct diff_table *table)
{
	const uint64_t *recordings = table->comparison->recordings;

	if (recordings[BEFORE] > 1 || recordings[AFTER] > 1)
		fprintf(table->out,
			"   (mean of %" PRIu64 " run%s and of %" PRIu64
			" run%s)",
			recordings[BEFORE], plural(recordings[BEFORE]),
			recordings[AFTER], plural(recordings[AFTER]));
}

static void print_time(const struct diff_table *table, const char *name,
		       const double *seconds)
{
	fprintf(table->out, "%-17s%10.3f%10.3f", name, seconds[BEFORE],
		seconds[AFTER]);
	if (seconds[BEFORE])
		fprintf(table->out, " %+8.1f %%",
			100 * difference(seconds) / seconds[BEFORE]);
}

static void print_head(const struct diff_table *table)
{
	const struct comparison *comparison = table->comparison;
	const double *kernel = comparison->kernel_seconds;

	fprintf(table->out, "%17s%10s%10s\n", "", "before", "after");
	print_time(table, "CPU seconds", comparison->seconds);
	print_runs(table);
	fputc('\n', table->out);
	if (kernel[BEFORE] || kernel[AFTER]) {
		print_time(table, "  in the kernel", kernel);
		fputc('\n', table->out);
	}
}

/* Printable names of the callers of a path, the outermost first, and their number */
static int path_names(const struct change *row, uint32_t index,
		      char *names[PATH_CALLERS])
{
	int nr = 0;

	for (; index; index = row->paths[index].parent)
		names[nr++] = profil_text_printable(row->paths[index].function);
	return nr;
}

/*
 * Join and free the @names of a path: all, or the short names of the outermost and the
 * nearest caller where a line has less room
 */
static char *join_names(char **names, int nr, size_t room)
{
	const char *dots = profil_text_sign("…", "...");
	size_t width = strlen("via ") + strlen(" > ") * (nr - 1);
	char *text;
	FILE *out = profil_memory_stream(&text, NULL);
	bool is_short;

	for (int i = 0; i < nr; i++)
		width += profil_text_width(names[i]);
	is_short = room && width > room;
	for (int i = 0; i < nr; i++) {
		if (is_short)
			profil_short_names(&names[i], 1,
					   (room - MORE_THAN_NAMES) /
						   (nr == 1 ? 1 : 2),
					   dots);
		fprintf(out, "%s%s", i ? " > " : "via ",
			is_short && i && i < nr - 1 ? dots : names[i]);
		free(names[i]);
	}
	profil_memory_stream_end(out);
	return text;
}

static char *path_text(const struct change *row, uint32_t index, size_t line)
{
	char *names[PATH_CALLERS];
	int nr = path_names(row, index, names);
	size_t room = line > NAMES_AT + LEAST_ROOM ? line - NAMES_AT :
						     LEAST_ROOM;

	return join_names(names, nr, line ? room : 0);
}

static void add_paths(struct view *view, const struct change *row, size_t line)
{
	static const struct row none = {
		.samples = NAN, .seconds = NAN, .total = NAN, .error = NAN
	};

	for (size_t i = 0; i < row->nr_via && i < MAX_VIA; i++) {
		const struct change_path *path = &row->paths[row->via[i]];

		profil_view_add_note(view, &path->sides[BEFORE],
				     &path->sides[AFTER],
				     path_text(row, row->via[i], line));
	}
	if (row->nr_via > MAX_VIA)
		profil_view_add_note(view, &none, &none,
				     profil_format("via %zu more callers",
						   row->nr_via - MAX_VIA));
}

static const char *verdict_of(const struct change *row)
{
	if (row->self.is_sure)
		return "yes";
	if (row->total.is_sure)
		return "total";
	return row->self.is_tested || row->total.is_tested ? "no" : "-";
}

/* With errors, what is not sure is grey on a terminal; else what is not tested. */
static bool is_grey(const struct comparison *comparison,
		    const struct change *row)
{
	return comparison->has_totals ? !is_sure(row) : !row->self.is_tested;
}

static void add_row(struct view *view, const struct diff_table *table,
		    const struct change *row)
{
	char *(*printable)(const char *) = table->out ? profil_text_printable :
							profil_copy_string;
	bool has_colour =
		(!table->out || profil_output_has_colours(table->out)) &&
		is_grey(table->comparison, row);
	char *names[3];

	names[0] = (char *)verdict_of(row);
	names[1] = printable(row->object);
	names[2] = printable(row->function);
	profil_view_add(view, &row->sides[BEFORE], &row->sides[AFTER], names,
			has_colour ? GREY : NULL);
	free(names[1]);
	free(names[2]);
	if (table->out)
		add_paths(view, row, profil_output_columns(table->out));
}

/* Add the rows that are shown, and the sum of the others in @hidden. */
static void add_rows(struct view *view, const struct diff_table *table,
		     struct row *hidden)
{
	const struct comparison *comparison = table->comparison;

	for (size_t i = 0; i < comparison->nr_rows; i++) {
		const struct change *row = &comparison->rows[i];

		if (is_shown(table, row)) {
			add_row(view, table, row);
			continue;
		}
		for (enum change_side side = 0; side < SIDES; side++)
			row_add(&hidden[side], &row->sides[side]);
	}
	for (enum change_side side = 0; side < SIDES; side++) {
		hidden[side].total = NAN;
		hidden[side].error = NAN;
	}
	if (table->hidden)
		profil_view_add_note(view, &hidden[BEFORE], &hidden[AFTER],
				     profil_format("%zu others",
						   table->hidden));
}

/* Make a view of the rows; the numbers in @hidden stay as long as the view does. */
static struct view read_rows(const struct diff_table *table, struct row *hidden)
{
	static const char *const names[] = { "sure", "object", "function" };
	const struct comparison *comparison = table->comparison;
	bool is_shares = comparison->is_shares;
	const struct rows *sides = comparison->sides;
	struct view view = {
		.in = is_shares ? IN_SHARES : IN_DIFF,
		.sides = { { is_shares ? "before %" : "before",
			     &sides[BEFORE] },
			   { is_shares ? "after %" : "after", &sides[AFTER] },
			   { "change" } },
		.nr_sides = VIEW_SIDES,
		.heads = names,
		.nr_names = 2 + (comparison->by == BY_FUNCTION),
		.first_note = 1,
	};

	profil_view_begin(&view);
	view.columns[0].width--;
	add_rows(&view, table, hidden);
	return view;
}

static void print_rows(const struct diff_table *table)
{
	struct row hidden[SIDES] = { 0 };
	struct view view = read_rows(table, hidden);

	profil_view_print(table->out, &view, profil_output_columns(table->out));
	profil_view_end(&view);
}

void profil_diff_table_print_view(FILE *out,
				  const struct comparison *comparison,
				  double limit)
{
	struct diff_table table = { .comparison = comparison };
	struct row hidden[SIDES] = { 0 };
	struct view view;

	hide(&table, limit);
	view = read_rows(&table, hidden);
	profil_html_print_view(out, "functions", &view);
	profil_html_print_names(out, &view, view.nr - !!table.hidden);
	profil_view_end(&view);
}

static void print_verdict(const struct diff_table *table)
{
	const struct comparison *comparison = table->comparison;
	size_t sure = comparison->sure, tested = comparison->tested;

	if (sure)
		fprintf(table->out, "%zu change%s", sure,
			sure == 1 ? " is" : "s are");
	else
		fputs("no change is", table->out);
	fprintf(table->out, " surer than 99 %% (%zu row%s tested)\n", tested,
		plural(tested));
}

static const char lacking[] = {
	"note: totals and callers are compared if all recordings have callers"
};
static const char single[] = {
	"note: one run on each side does not show how much runs differ; name several, as in profil diff a1.data,a2.data b1.data,b2.data"
};

size_t profil_diff_notes(const struct comparison *comparison,
			 const char **notes)
{
	size_t nr = 0;

	if (comparison->lacks_callers)
		notes[nr++] = lacking;
	if (comparison->nr_runs == SIDES)
		notes[nr++] = single;
	return nr;
}

void profil_diff_table_print(FILE *out, const struct comparison *comparison,
			     double limit)
{
	struct diff_table table = { .out = out, .comparison = comparison };
	const char *notes[DIFF_NOTES];
	size_t nr, i;

	hide(&table, limit);
	print_head(&table);
	print_rows(&table);
	print_verdict(&table);
	for (nr = profil_diff_notes(comparison, notes), i = 0; i < nr; i++)
		fprintf(out, "%s\n", notes[i]);
}
