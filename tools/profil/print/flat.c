// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile: time spent in each function itself */
#include "print/flat.h"
#include "print/view.h"
#include "util/output.h"

const double profil_flat_limits[] = { 0.5, 1, 2, 5, 0 };

/*
 * A flat profile while it is printed. @limit: rows with a smaller share, in percent, are
 * hidden. @by_error: those whose share is not more than its error are, too. @vague: hidden
 * rows that are not below the limit. @high: rows that are shown for their totals alone,
 * @nr_high of them, by falling total
 */
struct flat_page {
	const struct flat *flat;
	const struct rows *rows;
	double limit;
	bool by_error;
	size_t hidden;
	size_t vague;
	const struct row *high[HIGH_ROWS];
	int nr_high;
};

static double percent(const struct flat_page *page, double samples)
{
	return profil_percent(page->rows, samples);
}

/* Samples by which @row is shown or not */
static double samples_of(const struct flat_page *page, const struct row *row)
{
	return page->flat->by_total ? row->total : row->samples;
}

static bool is_below(const struct flat_page *page, const struct row *row)
{
	return percent(page, samples_of(page, row)) < page->limit;
}

/* A row that may as well be no part of the program's time */
static bool is_vague(const struct flat_page *page, const struct row *row)
{
	double samples = samples_of(page, row);

	return page->by_error &&
	       percent(page, samples) <=
		       share_error(samples, page->rows->total);
}

static bool is_small(const struct flat_page *page, const struct row *row)
{
	return !row->is_special && (is_below(page, row) || is_vague(page, row));
}

static bool is_high(const struct flat_page *page, const struct row *row)
{
	for (int i = 0; i < page->nr_high; i++)
		if (page->high[i] == row)
			return true;
	return false;
}

static bool is_hidden(const struct flat_page *page, const struct row *row)
{
	return is_small(page, row) && !is_high(page, row);
}

/* Keep @row if its total is one of the largest. */
static void add_high(struct flat_page *page, const struct row *row)
{
	double share = percent(page, row->total);
	int at = page->nr_high;

	if (!row->is_own || share < HIGH_LEAST || share > HIGH_MOST)
		return;
	while (at && page->high[at - 1]->total < row->total)
		at--;
	if (at == HIGH_ROWS)
		return;
	page->nr_high += page->nr_high < HIGH_ROWS;
	memmove(&page->high[at + 1], &page->high[at],
		(page->nr_high - 1 - at) * sizeof(*page->high));
	page->high[at] = row;
}

static void find_high(struct flat_page *page)
{
	page->nr_high = 0;
	for (size_t i = 0; !page->flat->by_total && i < page->rows->nr; i++)
		if (is_small(page, &page->rows->array[i]))
			add_high(page, &page->rows->array[i]);
}

static void count_hidden(struct flat_page *page)
{
	page->hidden = 0;
	page->vague = 0;
	for (size_t i = 0; i < page->rows->nr; i++) {
		const struct row *row = &page->rows->array[i];

		page->hidden += is_hidden(page, row);
		page->vague += is_hidden(page, row) && !is_below(page, row);
	}
}

/* The limit that leaves few rows, unless the user has set one */
static void find_limit(struct flat_page *page)
{
	const double *limit = profil_flat_limits;

	page->by_error = !page->flat->limit;
	do {
		page->limit = page->flat->limit ?: *limit;
		if (page->by_error)
			find_high(page);
		count_hidden(page);
	} while (!page->flat->limit && *++limit &&
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
	return !page->hidden || !is_hidden(page, row);
}

static void add_rows(struct view *view, const struct flat_page *page,
		     bool has_colours)
{
	for (size_t i = 0; i < page->rows->nr; i++) {
		const struct row *row = &page->rows->array[i];
		bool is_grey = has_colours && row->total < FEW_SAMPLES;

		if (is_shown(page, row))
			profil_view_add(view, row, NULL, row->names,
					is_grey ? GREY : NULL);
	}
}

/* A row for @samples of several rows */
static struct row sum_of(const struct flat_page *page, double samples)
{
	return (struct row){
		.samples = samples,
		.seconds = samples * page->rows->period,
	};
}

static struct row hidden_sum(const struct flat_page *page)
{
	double samples = 0;

	for (size_t i = 0; i < page->rows->nr; i++)
		if (is_hidden(page, &page->rows->array[i]))
			samples += page->rows->array[i].samples;
	return sum_of(page, samples);
}

static char *hidden_note(const struct flat_page *page)
{
	return profil_format("%zu %s below %g %%%s (-a lists them)",
			     page->hidden, page->rows->noun, page->limit,
			     page->vague ? " or not above their error" : "");
}

char *profil_flat_left_out(const struct rows *rows)
{
	return profil_format("left out by %s--object or --function",
			     rows->is_through ? "--through, " : "");
}

static unsigned int kind_of(const struct flat *flat, const struct rows *rows)
{
	if (rows->is_prof)
		return IN_PROF;
	return flat->samples ? IN_TABLE | IN_SAMPLES : IN_TABLE;
}

void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct rows *rows)
{
	struct flat_page page = { .flat = flat, .rows = rows };
	struct view view;
	struct row hidden, left_out = sum_of(&page, rows->left_out);

	hide(&page);
	profil_view_begin_rows(&view, kind_of(flat, rows), rows);
	add_rows(&view, &page,
		 !rows->is_prof && profil_output_has_colours(out));
	hidden = hidden_sum(&page);
	if (page.hidden)
		profil_view_add_note(&view, &hidden, NULL, hidden_note(&page));
	if (rows->left_out)
		profil_view_add_note(&view, &left_out, NULL,
				     profil_flat_left_out(rows));
	if (view.nr || rows->is_prof)
		profil_view_print(out, &view, profil_output_columns(out));
	profil_view_end(&view);
}
