// SPDX-License-Identifier: GPL-2.0-only
/* Table of a comparison */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/comparison.h"
#include "print/print.h"
#include "util/output.h"
#include "util/text.h"

/* Width of the columns before the names */
#define NUMBERS_WIDTH 35

#define GREY "\033[2m"
#define PLAIN "\033[0m"

/**
 * struct table - a comparison while it is printed
 * @out: destination
 * @comparison: the comparison
 * @least: rows with a smaller difference are hidden
 * @hidden: number of hidden rows
 * @names: columns of the object and, in rows of functions, the function
 * @has_colours: @out is a terminal with colours
 */
struct table {
	FILE *out;
	const struct comparison *comparison;
	double least;
	size_t hidden;
	struct name_columns names;
	bool has_colours;
};

static double difference(const double *seconds)
{
	return seconds[AFTER] - seconds[BEFORE];
}

static bool is_small(const struct table *table, const struct change *row)
{
	return !row->is_sure && fabs(difference(row->amount)) < table->least;
}

static bool is_shown(const struct table *table, const struct change *row)
{
	return !table->hidden || !is_small(table, row);
}

/* One hidden row would need the line of hidden rows: it is shown instead. */
static void hide(struct table *table, double limit)
{
	const struct comparison *comparison = table->comparison;
	const double *seconds = comparison->seconds;
	double all = fmax(seconds[BEFORE], seconds[AFTER]);

	table->least = comparison->is_shares ? limit : limit / 100 * all;
	for (size_t i = 0; i < comparison->nr_rows; i++)
		table->hidden += is_small(table, &comparison->rows[i]);
	if (table->hidden == 1)
		table->hidden = 0;
}

static const char *const heads[] = { "object", "function" };

/* Print the names of @row as printable text, or widen the columns for them. */
static void place_names(struct table *table, const struct change *row,
			bool print)
{
	char *names[2];

	names[0] = profil_text_printable(row->object);
	names[1] = profil_text_printable(row->function);
	if (print)
		profil_names_print(table->out, &table->names, names, 0);
	else
		profil_names_widen(&table->names, names);
	free(names[0]);
	free(names[1]);
}

static void set_widths(struct table *table)
{
	const struct comparison *comparison = table->comparison;

	table->names = profil_names_begin(heads,
					  1 + (comparison->by == BY_FUNCTION),
					  NUMBERS_WIDTH,
					  profil_output_columns(table->out));
	for (size_t i = 0; i < comparison->nr_rows; i++)
		if (is_shown(table, &comparison->rows[i]))
			place_names(table, &comparison->rows[i], false);
}

static void print_runs(const struct table *table)
{
	const uint64_t *recordings = table->comparison->recordings;

	if (recordings[BEFORE] > 1 || recordings[AFTER] > 1)
		fprintf(table->out,
			"   (mean of %" PRIu64 " run%s and of %" PRIu64
			" run%s)",
			recordings[BEFORE], recordings[BEFORE] == 1 ? "" : "s",
			recordings[AFTER], recordings[AFTER] == 1 ? "" : "s");
}

static void print_time(const struct table *table, const char *name,
		       const double *seconds)
{
	fprintf(table->out, "%-17s%10.3f%10.3f", name, seconds[BEFORE],
		seconds[AFTER]);
	if (seconds[BEFORE])
		fprintf(table->out, " %+8.1f %%",
			100 * difference(seconds) / seconds[BEFORE]);
}

static void print_head(const struct table *table)
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

static void print_amount(const struct table *table, const double *amount)
{
	int digits = table->comparison->is_shares ? 2 : 3;

	fprintf(table->out, "%9.*f%10.*f%+10.*f", digits, amount[BEFORE],
		digits, amount[AFTER], digits, difference(amount));
}

static void print_row(struct table *table, const struct change *row)
{
	const char *sure = row->is_sure ? "yes" : "no";
	bool grey = table->has_colours && !row->is_tested;

	if (grey)
		fputs(GREY, table->out);
	print_amount(table, row->amount);
	fprintf(table->out, "  %-4s", row->is_tested ? sure : "-");
	place_names(table, row, true);
	fprintf(table->out, "%s\n", grey ? PLAIN : "");
}

static void print_hidden(const struct table *table)
{
	double sum[SIDES] = { 0 };

	if (!table->hidden)
		return;
	for (size_t i = 0; i < table->comparison->nr_rows; i++) {
		const struct change *row = &table->comparison->rows[i];

		for (enum change_side side = 0; side < SIDES; side++)
			sum[side] += is_shown(table, row) ? 0 :
							    row->amount[side];
	}
	print_amount(table, sum);
	fprintf(table->out, "        %zu others\n", table->hidden);
}

static void print_verdict(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	size_t sure = comparison->sure, tested = comparison->tested;

	if (sure)
		fprintf(table->out, "%zu change%s", sure,
			sure == 1 ? " is" : "s are");
	else
		fputs("no change is", table->out);
	fprintf(table->out, " surer than 99 %% (%zu row%s tested)\n", tested,
		tested == 1 ? "" : "s");
}

void profil_change_table_print(FILE *out, const struct comparison *comparison,
			       double limit)
{
	struct table table = {
		.out = out,
		.comparison = comparison,
		.has_colours = profil_output_has_colours(out),
	};

	hide(&table, limit);
	set_widths(&table);
	print_head(&table);
	fprintf(out, "%9s%10s%10s  sure",
		comparison->is_shares ? "before %" : "before",
		comparison->is_shares ? "after %" : "after", "change");
	profil_names_print(out, &table.names, (char *const *)heads, 0);
	fputc('\n', out);
	for (size_t i = 0; i < comparison->nr_rows; i++)
		if (is_shown(&table, &comparison->rows[i]))
			print_row(&table, &comparison->rows[i]);
	print_hidden(&table);
	print_verdict(&table);
}
