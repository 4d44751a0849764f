// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile: how much time each function took by itself */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "print/flat.h"
#include "util/output.h"
#include "util/text.h"

/* An object's name up to this width keeps the column of functions straight. */
#define MAX_WIDTH 24

/* Fewer samples than this say little: a terminal shows them in grey. */
#define FEW 5

#define GREY "\033[2m"
#define PLAIN "\033[0m"

/*
 * Lines with a smaller part of the samples, in percent, are added up: the first
 * of these limits that leaves no more than FLAT_ROWS, or the last
 */
static const double limits[] = { 0.5, 1, 2, 5 };

/**
 * struct page - what is printed on
 * @out: where it goes
 * @flat: how
 * @period: seconds that a sample stands for
 * @total: all samples
 * @width: of the column of objects
 * @limit: lines with a smaller part of the samples, in percent, are left out
 * @hidden: how many these are
 * @grey: whether @out can show grey
 */
struct page {
	FILE *out;
	const struct flat *flat;
	double period;
	uint64_t total;
	int width;
	double limit;
	size_t hidden;
	bool grey;
};

static double percent(const struct page *page, uint64_t samples)
{
	return page->total ? 100 * ((double)samples / page->total) : 0;
}

/* The standard error of a part of independent samples, in percent */
static double error(const struct page *page, uint64_t samples)
{
	double part = (double)samples / page->total;

	return 100 * sqrt(part * (1 - part) / page->total);
}

static bool is_small(const struct page *page, const struct row *row)
{
	return !row->other && percent(page, row->samples) < page->limit;
}

static size_t count_small(const struct page *page, const struct rows *rows)
{
	size_t small = 0;

	for (size_t i = 0; i < rows->nr; i++)
		small += is_small(page, &rows->array[i]);
	return small;
}

/* A single line takes no more room than a sentence that it is left out. */
static void hide(struct page *page, const struct rows *rows)
{
	size_t i = 0;

	if (page->flat->all)
		return;
	do {
		page->limit = limits[i++];
		page->hidden = count_small(page, rows);
	} while (rows->nr - page->hidden > FLAT_ROWS &&
		 i < sizeof(limits) / sizeof(*limits));
	if (page->hidden == 1)
		page->hidden = 0;
}

static bool is_shown(const struct page *page, const struct row *row)
{
	return !page->hidden || !is_small(page, row);
}

static int width_of(const struct page *page, const struct rows *rows)
{
	size_t width = strlen("object");

	for (size_t i = 0; i < rows->nr; i++) {
		size_t length = profil_text_width(rows->array[i].object);

		if (is_shown(page, &rows->array[i]) && length > width &&
		    length <= MAX_WIDTH)
			width = length;
	}
	return width;
}

static void print_head(const struct page *page)
{
	const char *plus_minus = profil_output_sign("    ±", "   +-");

	fprintf(page->out, "%7s%s%10s", "self", plus_minus, "seconds");
	if (page->flat->samples)
		fprintf(page->out, "%9s", "samples");
	fprintf(page->out, "  %-*s  %s\n", page->width, "object", "function");
}

/* @error is what stands in the column of the standard error. */
static void print_figures(const struct page *page, uint64_t samples,
			  const char *error)
{
	fprintf(page->out, "%5.1f %%%5s%10.3f", percent(page, samples), error,
		samples * page->period);
	if (page->flat->samples)
		fprintf(page->out, "%9" PRIu64, samples);
}

/* The width of a field of printf() is in bytes. */
static int bytes_of_field(const char *text, int width)
{
	return width + (int)(strlen(text) - profil_text_width(text));
}

static void print_line(const struct page *page, const struct row *row)
{
	bool grey = page->grey && row->samples < FEW;
	char text[16];

	snprintf(text, sizeof(text), "%.1f", error(page, row->samples));
	if (grey)
		fputs(GREY, page->out);
	print_figures(page, row->samples, text);
	fprintf(page->out, "  %-*s  %s%s\n",
		bytes_of_field(row->object, page->width), row->object,
		row->symbol, grey ? PLAIN : "");
}

static void print_rest(const struct page *page, const struct rows *rows)
{
	uint64_t samples = 0;

	if (!page->hidden)
		return;
	for (size_t i = 0; i < rows->nr; i++)
		if (is_small(page, &rows->array[i]))
			samples += rows->array[i].samples;
	print_figures(page, samples, "");
	fprintf(page->out, "  %zu functions below %g %% (-a lists them)\n",
		page->hidden, page->limit);
}

static void print_total(const struct page *page,
			const struct sample_table *table)
{
	fprintf(page->out, "%" PRIu64 " sample%s", page->total,
		page->total == 1 ? "" : "s");
	if (table->period_ns)
		fprintf(page->out, ", one each %.4g ms",
			table->period_ns / 1e6);
	if (table->lost)
		fprintf(page->out, "; %" PRIu64 " lost", table->lost);
	fputc('\n', page->out);
}

void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct sample_table *table,
		       const struct rows *rows)
{
	struct page page = {
		.out = out,
		.flat = flat,
		.period = table->period_ns / 1e9,
		.total = profil_sample_table_total(table),
		.grey = profil_output_has_colours(out),
	};

	hide(&page, rows);
	page.width = width_of(&page, rows);
	if (rows->nr)
		print_head(&page);
	for (size_t i = 0; i < rows->nr; i++)
		if (is_shown(&page, &rows->array[i]))
			print_line(&page, &rows->array[i]);
	print_rest(&page, rows);
	print_total(&page, table);
}
