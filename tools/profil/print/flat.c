// SPDX-License-Identifier: GPL-2.0-only
/* Columns of names, and the flat profile: time spent in each function itself */
#include "print/print.h"
#include "util/output.h"
#include "util/text.h"

/* A longer name moves the columns behind it. */
#define MAX_WIDTH 24
#define MAX_LAST_WIDTH 44

/* Least width of the last name on a terminal, however narrow that is */
#define MIN_LAST_WIDTH 16

struct name_columns profil_names_begin(const char *const *heads, int nr,
				       size_t before, size_t line)
{
	struct name_columns columns = {
		.nr = nr,
		.before = before,
		.line = line,
	};

	for (int i = 0; i < nr; i++)
		columns.widths[i] = strlen(heads[i]);
	return columns;
}

void profil_names_widen(struct name_columns *columns, char *const *names)
{
	for (int i = 0; i < columns->nr; i++) {
		bool is_last = i == columns->nr - 1;
		size_t most = is_last ? MAX_LAST_WIDTH : MAX_WIDTH;
		size_t length = profil_text_width(names[i]);

		if (length > columns->widths[i] && length <= most)
			columns->widths[i] = length;
	}
}

/* Characters for the last name if the others take @used ones with those before */
static size_t room_of(const struct name_columns *columns, size_t used)
{
	if (!columns->line)
		return SIZE_MAX;
	return columns->line < used + MIN_LAST_WIDTH ? MIN_LAST_WIDTH :
						       columns->line - used;
}

/* The width of a field of printf() is in bytes. */
static int field(const char *text, size_t width)
{
	return (int)(width + strlen(text) - profil_text_width(text));
}

void profil_names_print(FILE *out, const struct name_columns *columns,
			char *const *names, size_t after)
{
	size_t used = columns->before + 2 + after, padded = used;
	int last = columns->nr - 1;
	char *name;

	for (int i = 0; i < last; i++) {
		size_t wanted = columns->widths[i];
		size_t length = profil_text_width(names[i]);

		fprintf(out, "  %-*s", field(names[i], wanted), names[i]);
		used += 2 + (length > wanted ? length : wanted);
		padded += 2 + wanted;
	}
	name = profil_text_cut(names[last], room_of(columns, used));
	padded = lesser(columns->widths[last], room_of(columns, padded));
	fprintf(out, "  %-*s", after ? field(name, padded) : 0, name);
	free(name);
}

/*
 * The share of kernel mode in a row is shown for this number of samples in kernel
 * mode, and this share in percent
 */
#define KERNEL_FEW 5
#define KERNEL_SHARE 10

/* Rows with fewer samples are grey on a terminal: their shares are vague. */
#define FEW 5

/* Width of the note on the kernel */
#define NOTE_WIDTH 23

/*
 * Rows with a smaller share, in percent, are added up in one line: the first of
 * these limits that leaves FLAT_ROWS rows or less, or the last one
 */
static const double limits[] = { 0.5, 1, 2, 5 };

/*
 * A flat profile while it is printed. @columns: of numbers. @limit: rows with a smaller
 * share, in percent, are hidden. @grey: rows with few samples are grey
 */
struct flat_page {
	FILE *out;
	const struct flat *flat;
	const struct rows *rows;
	const struct column *columns;
	struct name_columns names;
	double limit;
	size_t hidden;
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
	double part = share(page->rows, row->samples);

	if (row->names[0])
		fprintf(page->out, " %*.1f", width - 1,
			share_error(page->rows, part));
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
	if (page->flat->samples)
		fprintf(page->out, " %*.0f", width - 1, row->samples);
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
	{ "self", 7, print_self },
	{ "±", 5, print_error },
	{ "seconds", 10, print_seconds },
	{ "samples", 9, print_samples },
	{ 0 },
};

static const struct column report_columns[] = {
	{ "percent", 7, print_percent },
	{ "cumulative", 11, print_cumulative },
	{ "seconds", 11, print_seconds },
	{ "calls", 11, print_calls },
	{ "ms/call", 11, print_call_time },
	{ 0 },
};

static bool is_small(const struct flat_page *page, const struct row *row)
{
	return !row->is_special && percent(page, row->samples) < page->limit;
}

static size_t count_small(const struct flat_page *page)
{
	size_t small = 0;

	for (size_t i = 0; i < page->rows->nr; i++)
		small += is_small(page, &page->rows->array[i]);
	return small;
}

/* The limit that leaves few rows, unless the user has set one */
static void find_limit(struct flat_page *page)
{
	size_t i = 0;

	do {
		page->limit = page->flat->limit ?: limits[i++];
		page->hidden = count_small(page);
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

static size_t numbers_width(const struct flat_page *page)
{
	const struct column *column = page->columns;
	size_t width = 0;

	for (; column->head; column++)
		if (column->print != print_samples || page->flat->samples)
			width += column->width;
	return width;
}

static void set_widths(struct flat_page *page)
{
	page->names = profil_names_begin(page->rows->heads,
					 page->rows->nr_names,
					 numbers_width(page),
					 profil_output_columns(page->out));
	for (size_t i = 0; i < page->rows->nr; i++)
		if (is_shown(page, &page->rows->array[i]))
			profil_names_widen(&page->names,
					   page->rows->array[i].names);
}

static void print_head(const struct flat_page *page)
{
	const struct column *column = page->columns;

	for (; column->head; column++) {
		const char *head = column->head;

		if (column->print == print_error)
			head = profil_text_sign(head, "+-");
		if (column->print != print_samples || page->flat->samples)
			fprintf(page->out, "%*s", field(head, column->width),
				head);
	}
	profil_names_print(page->out, &page->names,
			   (char *const *)page->rows->heads, 0);
	fputc('\n', page->out);
}

static void print_numbers(const struct flat_page *page, const struct row *row)
{
	const struct column *column = page->columns;

	for (; column->head; column++)
		column->print(page, column->width, row);
}

static void print_row(const struct flat_page *page, const struct row *row)
{
	bool has_note = !page->rows->is_prof && !row->is_kernel &&
			row->kernel >= KERNEL_FEW &&
			100 * row->kernel >= KERNEL_SHARE * row->samples;
	bool grey = page->grey && row->samples < FEW;

	if (grey)
		fputs(GREY, page->out);
	print_numbers(page, row);
	profil_names_print(page->out, &page->names, row->names,
			   has_note ? NOTE_WIDTH : 0);
	if (has_note)
		fprintf(page->out, "  (%.0f %% in the kernel)",
			100 * row->kernel / row->samples);
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
	fprintf(page->out, "  %zu %s below %g %% (-a lists them)\n",
		page->hidden, page->rows->noun, page->limit);
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

	hide(&page);
	set_widths(&page);
	if (rows->nr || rows->left_out || rows->is_prof)
		print_head(&page);
	for (size_t i = 0; i < rows->nr; i++)
		if (is_shown(&page, &rows->array[i]))
			print_row(&page, &rows->array[i]);
	print_hidden(&page);
	print_left_out(&page);
}
