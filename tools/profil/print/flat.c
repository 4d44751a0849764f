// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile: time spent in each function itself */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "print/flat.h"
#include "util/output.h"
#include "util/text.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/* A longer name of an object moves the columns behind it. */
#define MAX_WIDTH 24

/* Rows with fewer samples are grey on a terminal: their shares are vague. */
#define FEW 5

#define GREY "\033[2m"
#define PLAIN "\033[0m"

/*
 * Rows with a smaller share, in percent, are added up in one line: the first of
 * these limits that leaves FLAT_ROWS rows or less, or the last one
 */
static const double limits[] = { 0.5, 1, 2, 5 };

/**
 * struct page - a flat profile while it is printed
 * @out: destination
 * @flat: form
 * @rows: the rows
 * @width: width of the column of objects
 * @limit: rows with a smaller share, in percent, are hidden
 * @hidden: number of hidden rows
 * @grey: rows with few samples are grey
 */
struct page {
	FILE *out;
	const struct flat *flat;
	const struct rows *rows;
	int width;
	double limit;
	size_t hidden;
	bool grey;
};

/**
 * struct column - a column of the flat profile
 * @head: its head
 * @width: width of a column that is aligned to the right; 0 for one of names
 * @print: prints the field of a row, with a space at least before a number that
 *         is not in the first column
 */
struct column {
	const char *head;
	int width;
	void (*print)(const struct page *page, int width,
		      const struct row *row);
};

static double share(const struct page *page, double samples)
{
	return page->rows->total ? samples / page->rows->total : 0;
}

static double percent(const struct page *page, double samples)
{
	return 100 * share(page, samples);
}

static void print_self(const struct page *page, int width,
		       const struct row *row)
{
	fprintf(page->out, "%*.1f %%", width - 2, percent(page, row->samples));
}

static void print_percent(const struct page *page, int width,
			  const struct row *row)
{
	fprintf(page->out, "%*.2f", width, percent(page, row->samples));
}

/*
 * Standard error of the share of independent samples. The line of hidden rows,
 * which has no object, has none.
 */
static void print_error(const struct page *page, int width,
			const struct row *row)
{
	double part = share(page, row->samples);

	if (row->object)
		fprintf(page->out, " %*.1f", width - 1,
			100 * sqrt(part * (1 - part) / page->rows->total));
	else
		fprintf(page->out, "%*s", width, "");
}

static void print_seconds(const struct page *page, int width,
			  const struct row *row)
{
	fprintf(page->out, " %*.3f", width - 1, row->seconds);
}

static void print_cumulative(const struct page *page, int width,
			     const struct row *row)
{
	fprintf(page->out, " %*.3f", width - 1, row->cumulative);
}

static void print_samples(const struct page *page, int width,
			  const struct row *row)
{
	if (page->flat->samples)
		fprintf(page->out, " %*.0f", width - 1, row->samples);
}

static void print_calls(const struct page *page, int width,
			const struct row *row)
{
	if (row->calls)
		fprintf(page->out, " %*" PRIu64, width - 1, row->calls);
	else
		fprintf(page->out, "%*s", width, "");
}

static void print_call_time(const struct page *page, int width,
			    const struct row *row)
{
	if (row->calls)
		fprintf(page->out, " %*.4f", width - 1,
			1000 * row->seconds / row->calls);
	else
		fprintf(page->out, "%*s", width, "");
}

/* The width of a field of printf() is in bytes. */
static int field(const char *text, int width)
{
	return width + (int)(strlen(text) - profil_text_width(text));
}

static void print_object(const struct page *page, int width,
			 const struct row *row)
{
	(void)width;
	if (row->object)
		fprintf(page->out, "  %-*s", field(row->object, page->width),
			row->object);
}

static void print_symbol(const struct page *page, int width,
			 const struct row *row)
{
	(void)width;
	fprintf(page->out, "  %s", row->symbol);
}

static const struct column run_columns[] = {
	{ "self", 7, print_self },
	{ "±", 5, print_error },
	{ "seconds", 10, print_seconds },
	{ "samples", 9, print_samples },
	{ "object", 0, print_object },
	{ "function", 0, print_symbol },
	{ 0 },
};

static const struct column report_columns[] = {
	{ "percent", 7, print_percent },
	{ "cumulative", 11, print_cumulative },
	{ "seconds", 11, print_seconds },
	{ "calls", 11, print_calls },
	{ "ms/call", 11, print_call_time },
	{ "symbol", 0, print_symbol },
	{ 0 },
};

static const struct column *const layouts[] = {
	[FLAT_RUN] = run_columns,
	[FLAT_REPORT] = report_columns,
};

static bool is_small(const struct page *page, const struct row *row)
{
	return !row->is_special && percent(page, row->samples) < page->limit;
}

static size_t count_small(const struct page *page)
{
	size_t small = 0;

	for (size_t i = 0; i < page->rows->nr; i++)
		small += is_small(page, &page->rows->array[i]);
	return small;
}

/* One hidden row would need the line of hidden rows: it is shown instead. */
static void hide(struct page *page)
{
	size_t i = 0;

	if (page->flat->all)
		return;
	do {
		page->limit = limits[i++];
		page->hidden = count_small(page);
	} while (page->rows->nr - page->hidden > FLAT_ROWS &&
		 i < ELEMENTS(limits));
	if (page->hidden == 1)
		page->hidden = 0;
}

static bool is_shown(const struct page *page, const struct row *row)
{
	return !page->hidden || !is_small(page, row);
}

static int object_width(const struct page *page)
{
	size_t width = strlen("object");

	for (size_t i = 0; i < page->rows->nr; i++) {
		const struct row *row = &page->rows->array[i];
		size_t length = profil_text_width(row->object);

		if (is_shown(page, row) && length > width &&
		    length <= MAX_WIDTH)
			width = length;
	}
	return width;
}

static void print_head(const struct page *page)
{
	const struct column *column = layouts[page->flat->layout];

	for (; column->head; column++) {
		const char *head = column->head;

		if (column->print == print_error)
			head = profil_output_sign(head, "+-");
		if (column->print == print_object)
			fprintf(page->out, "  %-*s", page->width, head);
		else if (!column->width)
			fprintf(page->out, "  %s", head);
		else if (column->print != print_samples || page->flat->samples)
			fprintf(page->out, "%*s", field(head, column->width),
				head);
	}
	fputc('\n', page->out);
}

static void print_row(const struct page *page, const struct row *row)
{
	const struct column *column = layouts[page->flat->layout];

	for (; column->head; column++)
		column->print(page, column->width, row);
}

static void print_line(const struct page *page, const struct row *row)
{
	bool grey = page->grey && row->samples < FEW;

	if (grey)
		fputs(GREY, page->out);
	print_row(page, row);
	fprintf(page->out, "%s\n", grey ? PLAIN : "");
}

static void print_hidden(const struct page *page)
{
	char text[80];
	struct row sum = { .symbol = text };

	if (!page->hidden)
		return;
	for (size_t i = 0; i < page->rows->nr; i++)
		if (is_small(page, &page->rows->array[i]))
			sum.samples += page->rows->array[i].samples;
	sum.seconds = sum.samples * page->rows->period;
	snprintf(text, sizeof(text),
		 "%zu functions below %g %% (-a lists them)", page->hidden,
		 page->limit);
	print_row(page, &sum);
	fputc('\n', page->out);
}

void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct rows *rows)
{
	struct page page = {
		.out = out,
		.flat = flat,
		.rows = rows,
		.grey = flat->layout == FLAT_RUN &&
			profil_output_has_colours(out),
	};

	hide(&page);
	page.width = object_width(&page);
	if (rows->nr || flat->layout == FLAT_REPORT)
		print_head(&page);
	for (size_t i = 0; i < rows->nr; i++)
		if (is_shown(&page, &rows->array[i]))
			print_line(&page, &rows->array[i]);
	print_hidden(&page);
}
