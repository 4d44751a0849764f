// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile: time spent in each function itself */
#include "print/print.h"
#include "util/output.h"
#include "util/text.h"

/*
 * The share of kernel mode in a row is shown for this number of samples in kernel
 * mode, and this share in percent
 */
#define KERNEL_FEW 5
#define KERNEL_SHARE 10

/* Rows with fewer samples are grey on a terminal: their shares are vague. */
#define FEW 5

/*
 * Rows with a smaller share, in percent, are added up in one line: the first of
 * these limits that leaves FLAT_ROWS rows or less, or the last one
 */
static const double limits[] = { 0.5, 1, 2, 5 };

/*
 * A flat profile while it is printed. @columns: of numbers. @limit: rows with a smaller
 * share, in percent, are hidden. @by_error: those whose share is not more than its error
 * are, too. @vague: hidden rows that are not below the limit. @has_kernel: a row that is
 * shown has a share of kernel mode. @grey: rows with few samples are grey
 */
struct flat_page {
	FILE *out;
	const struct flat *flat;
	const struct rows *rows;
	const struct column *columns;
	struct name_table names;
	double limit;
	bool by_error;
	size_t hidden;
	size_t vague;
	bool has_kernel;
	bool grey;
};

/**
 * struct column - a column of numbers
 * @head: its head
 * @width: width of the column, which is aligned to the right
 * @print: prints the field of a row, with a space at least before a number that
 *         is not in the first column
 */
struct column {
	const char *head;
	int width;
	void (*print)(const struct flat_page *page, int width,
		      const struct row *row);
};

static double percent(const struct flat_page *page, double samples)
{
	return 100 * share(page->rows, samples);
}

static void print_self(const struct flat_page *page, int width,
		       const struct row *row)
{
	fprintf(page->out, "%*.1f %%", width - 2, percent(page, row->samples));
}

static void print_percent(const struct flat_page *page, int width,
			  const struct row *row)
{
	fprintf(page->out, "%*.2f", width, percent(page, row->samples));
}

/* The line of hidden rows, which has no names, has no error. */
static void print_error(const struct flat_page *page, int width,
			const struct row *row)
{
	if (row->names[0])
		fprintf(page->out, " %*.1f", width - 1,
			share_error(row->samples, page->rows->total));
	else
		fprintf(page->out, "%*s", width, "");
}

static void print_seconds(const struct flat_page *page, int width,
			  const struct row *row)
{
	fprintf(page->out, " %*.3f", width - 1, row->seconds);
}

static void print_cumulative(const struct flat_page *page, int width,
			     const struct row *row)
{
	fprintf(page->out, " %*.3f", width - 1, row->cumulative);
}

static void print_samples(const struct flat_page *page, int width,
			  const struct row *row)
{
	fprintf(page->out, " %*.0f", width - 1, row->samples);
}

static bool has_kernel_share(const struct row *row)
{
	return !row->is_kernel && row->kernel >= KERNEL_FEW &&
	       100 * row->kernel >= KERNEL_SHARE * row->samples;
}

static void print_kernel(const struct flat_page *page, int width,
			 const struct row *row)
{
	if (has_kernel_share(row))
		fprintf(page->out, " %*.0f %%", width - 3,
			100 * row->kernel / row->samples);
	else
		fprintf(page->out, "%*s", width, "");
}

static void print_calls(const struct flat_page *page, int width,
			const struct row *row)
{
	if (row->calls)
		fprintf(page->out, " %*" PRIu64, width - 1, row->calls);
	else
		fprintf(page->out, "%*s", width, "");
}

static void print_call_time(const struct flat_page *page, int width,
			    const struct row *row)
{
	if (row->calls)
		fprintf(page->out, " %*.4f", width - 1,
			1000 * row->seconds / row->calls);
	else
		fprintf(page->out, "%*s", width, "");
}

static const struct column run_columns[] = {
	{ "self", 7, print_self },	  { "±", 5, print_error },
	{ "seconds", 10, print_seconds }, { "samples", 9, print_samples },
	{ "kernel", 8, print_kernel },	  { 0 },
};

static const struct column report_columns[] = {
	{ "percent", 7, print_percent },
	{ "cumulative", 11, print_cumulative },
	{ "seconds", 11, print_seconds },
	{ "calls", 11, print_calls },
	{ "ms/call", 11, print_call_time },
	{ 0 },
};

static bool is_below(const struct flat_page *page, const struct row *row)
{
	return percent(page, row->samples) < page->limit;
}

/* A row that may as well be no part of the program's time */
static bool is_vague(const struct flat_page *page, const struct row *row)
{
	return page->by_error &&
	       percent(page, row->samples) <=
		       share_error(row->samples, page->rows->total);
}

static bool is_small(const struct flat_page *page, const struct row *row)
{
	return !row->is_special && (is_below(page, row) || is_vague(page, row));
}

static void count_small(struct flat_page *page)
{
	page->hidden = 0;
	page->vague = 0;
	for (size_t i = 0; i < page->rows->nr; i++) {
		const struct row *row = &page->rows->array[i];

		page->hidden += is_small(page, row);
		page->vague += is_small(page, row) && !is_below(page, row);
	}
}

/* The limit that leaves few rows, unless the user has set one */
static void find_limit(struct flat_page *page)
{
	size_t i = 0;

	page->by_error = !page->flat->limit;
	do {
		page->limit = page->flat->limit ?: limits[i++];
		count_small(page);
	} while (!page->flat->limit && i < sizeof(limits) / sizeof(*limits) &&
		 page->rows->nr - page->hidden > FLAT_ROWS);
}

/* One hidden row would need the line of hidden rows: it is shown instead. */
static void hide(struct flat_page *page)
{
	if (page->flat->all || page->rows->is_prof)
		return;
	find_limit(page);
	if (page->hidden == 1)
		page->hidden = 0;
}

static bool is_shown(const struct flat_page *page, const struct row *row)
{
	return !page->hidden || !is_small(page, row);
}

static bool has_column(const struct flat_page *page,
		       const struct column *column)
{
	return (column->print != print_samples || page->flat->samples) &&
	       (column->print != print_kernel || page->has_kernel);
}

static size_t numbers_width(const struct flat_page *page)
{
	const struct column *column = page->columns;
	size_t width = 0;

	for (; column->head; column++)
		width += has_column(page, column) ? column->width : 0;
	return width;
}

static void place(struct flat_page *page)
{
	const struct rows *rows = page->rows;

	for (size_t i = 0; i < rows->nr; i++)
		page->has_kernel |= is_shown(page, &rows->array[i]) &&
				    has_kernel_share(&rows->array[i]);
	profil_names_begin(&page->names, rows->heads, rows->nr_names,
			   numbers_width(page),
			   profil_output_columns(page->out));
	for (size_t i = 0; i < rows->nr; i++)
		if (is_shown(page, &rows->array[i]))
			profil_names_add(&page->names, rows->array[i].names);
	profil_names_place(&page->names);
}

static void print_head(const struct flat_page *page)
{
	const struct column *column = page->columns;

	for (; column->head; column++) {
		const char *head = column->head;

		if (column->print == print_error)
			head = profil_text_sign(head, "+-");
		if (has_column(page, column))
			fprintf(page->out, "%*s",
				profil_text_field(head, column->width), head);
	}
	profil_names_print_heads(page->out, &page->names);
	fputc('\n', page->out);
}

static void print_numbers(const struct flat_page *page, const struct row *row)
{
	const struct column *column = page->columns;

	for (; column->head; column++)
		if (has_column(page, column))
			column->print(page, column->width, row);
}

/* Print @row, whose names are those of the index @at. */
static void print_row(const struct flat_page *page, const struct row *row,
		      size_t at)
{
	bool grey = page->grey && row->samples < FEW;

	if (grey)
		fputs(GREY, page->out);
	print_numbers(page, row);
	profil_names_print(page->out, &page->names, at);
	fprintf(page->out, "%s\n", grey ? PLAIN : "");
}

/* A line for @samples of several rows */
static void print_sum(const struct flat_page *page, double samples)
{
	struct row sum = {
		.samples = samples,
		.seconds = samples * page->rows->period,
	};

	print_numbers(page, &sum);
}

static void print_hidden(const struct flat_page *page)
{
	double samples = 0;

	if (!page->hidden)
		return;
	for (size_t i = 0; i < page->rows->nr; i++)
		if (is_small(page, &page->rows->array[i]))
			samples += page->rows->array[i].samples;
	print_sum(page, samples);
	fprintf(page->out, "  %zu %s below %g %%%s (-a lists them)\n",
		page->hidden, page->rows->noun, page->limit,
		page->vague ? " or not above their error" : "");
}

static void print_left_out(const struct flat_page *page)
{
	if (!page->rows->left_out)
		return;
	print_sum(page, page->rows->left_out);
	fputs("  left out by --object or --function\n", page->out);
}

void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct rows *rows)
{
	struct flat_page page = {
		.out = out,
		.flat = flat,
		.rows = rows,
		.columns = rows->is_prof ? report_columns : run_columns,
		.grey = !rows->is_prof && profil_output_has_colours(out),
	};
	size_t shown = 0;

	hide(&page);
	place(&page);
	if (rows->nr || rows->left_out || rows->is_prof)
		print_head(&page);
	for (size_t i = 0; i < rows->nr; i++)
		if (is_shown(&page, &rows->array[i]))
			print_row(&page, &rows->array[i], shown++);
	print_hidden(&page);
	print_left_out(&page);
	profil_names_end(&page.names);
}
