// SPDX-License-Identifier: GPL-2.0-only
/* Annotated source of the hot functions */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/source_text.h"
#include "annotate/function.h"
#include "html/page.h"
#include "util/text.h"

/* Functions that are shown, and the least share of the last, in percent */
#define MAX_FUNCTIONS 20
#define LEAST 0.5

/* Functions whose source is open */
#define OPEN 2

/* Lines of a file that are shown, and lines around one with samples */
#define MAX_LINES 400
#define AROUND 4

/* The declaration is shown if it is this near to the first line with samples. */
#define DECLARATION 16

/* Inlined positions that are listed below a line */
#define MAX_INLINED 6

/* Bytes of a line */
#define WIDTH 240

#define SECOND 1000000000ULL

/**
 * struct listing - lines of a function in one file while they are printed
 * @out: destination
 * @profile: the profile
 * @function: index of the function
 * @file: lines of the file with samples
 * @total: samples of the function
 * @text: the file
 * @printed: number of printed lines of the file
 * @last: last printed line, or 0
 */
struct listing {
	FILE *out;
	const struct profile *profile;
	uint32_t function;
	const struct file_hits *file;
	uint64_t total;
	struct source_text text;
	size_t printed;
	uint64_t last;
};

static const struct profile_function *function_of(const struct hot *hot,
						  const struct hot_row *row)
{
	return &hot->profile->functions[row->function];
}

static bool has_lines(const struct profile *profile, uint32_t function)
{
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (profile->places[i].function == function &&
		    profile->places[i].nr_frames)
			return true;
	return false;
}

void profil_html_choose_source(struct hot *hot)
{
	int chosen = 0;

	for (size_t i = 0; i < hot->nr && i < HOT_ROWS; i++) {
		struct hot_row *row = &hot->rows[i];

		if (profil_hot_percent(hot, row->samples) < LEAST ||
		    chosen == MAX_FUNCTIONS)
			break;
		row->is_source = row->function != PROFILE_NONE &&
				 has_lines(hot->profile, row->function);
		chosen += row->is_source;
	}
}

static double percent(const struct listing *listing, uint64_t samples)
{
	return listing->total ? 100.0 * samples / listing->total : 0;
}

static void print_number(const struct listing *listing, uint64_t samples)
{
	double part = percent(listing, samples);

	if (samples)
		fprintf(listing->out,
			"<b title=\"%" PRIu64
			" sample%s\"><i style=\"width:%.0f%%\"></i>%.1f</b>",
			samples, samples == 1 ? "" : "s", part, part);
	else
		fputs("<b></b>", listing->out);
}

/* A tab is no printable character, and stays one. */
static void print_text(const struct listing *listing, uint64_t line)
{
	char text[WIDTH + 1] = "", *rest = text, *part;

	if (line > listing->text.nr)
		return;
	strncat(text, listing->text.lines[line - 1], WIDTH);
	while ((part = strsep(&rest, "\t"))) {
		profil_html_text(listing->out, part, WIDTH);
		if (rest)
			fputc('\t', listing->out);
	}
}

static void print_inlined(const struct listing *listing,
			  const struct inner_hits *inner)
{
	const struct profile *profile = listing->profile;
	const struct profile_frame *frame = inner->frame;

	fprintf(listing->out,
		"<span class=in><b>%.1f</b><u></u><code>  ↳ inlined ",
		percent(listing, inner->samples));
	profil_html_name(listing->out,
			 profile->functions[frame->function].name);
	if (*frame->file) {
		fputs(", ", listing->out);
		profil_html_name(listing->out, profil_text_base(frame->file));
		fprintf(listing->out, ":%" PRIu32, frame->line);
	}
	fputs("</code></span>\n", listing->out);
}

static void print_all_inlined(const struct listing *listing,
			      const struct line_hits *line)
{
	int printed = 0;

	for (size_t i = 0; i < line->nr_inner && printed < MAX_INLINED; i++)
		if (line->inner[i].is_inlined) {
			print_inlined(listing, &line->inner[i]);
			printed++;
		}
}

/*
 * Print lines @from to @to without samples, and a gap before them if any. They
 * may be above any line of the recording.
 */
static void print_plain(struct listing *listing, uint64_t from, uint64_t to)
{
	if (from <= listing->last)
		from = listing->last + 1;
	if (listing->last && from > listing->last + 1)
		fputs("<span class=gap><b></b><u>⋯</u><code></code></span>\n",
		      listing->out);
	for (uint64_t at = from; at <= to && at <= listing->text.nr; at++) {
		fprintf(listing->out, "<span><b></b><u>%" PRIu64 "</u><code>",
			at);
		print_text(listing, at);
		fputs("</code></span>\n", listing->out);
		listing->last = at;
		listing->printed++;
	}
}

static void print_hot(struct listing *listing, const struct line_hits *line)
{
	fprintf(listing->out, "<span%s>",
		percent(listing, line->samples) >= 10 ? " class=hot" : "");
	print_number(listing, line->samples);
	fprintf(listing->out, "<u>%" PRIu32 "</u><code>", line->number);
	print_text(listing, line->number);
	fputs("</code></span>\n", listing->out);
	listing->last = line->number;
	listing->printed++;
}

/* First line of the context: the declaration, if it is near */
static uint32_t context_of(const struct listing *listing)
{
	const struct profile_function *function =
		&listing->profile->functions[listing->function];
	uint32_t line = listing->file->lines->number;

	if (function->file == listing->file->file && function->line &&
	    function->line <= line && line - function->line <= DECLARATION)
		return function->line;
	return line > AROUND ? line - AROUND : 1;
}

static void print_lines(struct listing *listing)
{
	const struct file_hits *file = listing->file;
	const struct line_hits *line = file->lines;
	const struct line_hits *end = line + file->nr_lines;
	uint64_t from = context_of(listing);

	for (; line < end && listing->printed < MAX_LINES; line++) {
		print_plain(listing, from, line->number - 1);
		print_hot(listing, line);
		print_all_inlined(listing, line);
		from = listing->last + 1;
		if (line + 1 < end &&
		    line[1].number - line->number <= 2 * AROUND)
			continue;
		print_plain(listing, from, listing->last + AROUND);
		from = listing->last + 1;
		if (line + 1 < end &&
		    line[1].number - listing->last > 2 * AROUND)
			from = line[1].number - AROUND;
	}
	if (line < end)
		fputs("<span class=gap><b></b><u>⋯</u><code>more lines</code></span>\n",
		      listing->out);
}

static const char *const errors[] = {
	[SOURCE_FOREIGN] =
		" (not read, as no program here with the build ID of the recording names it: name the directory of the sources with --source)",
};

/* The reason why the file is not shown, or not as it was at @end_ns */
static const char *reason_of(const struct source_text *text,
			     enum source_error error, uint64_t end_ns)
{
	bool is_newer = text->written_ns / SECOND > end_ns / SECOND + 1;

	if (error == SOURCE_FOREIGN)
		return errors[SOURCE_FOREIGN];
	if (!text->nr)
		return " (not found: line numbers only)";
	return end_ns && is_newer ?
		       " (changed after the recording: lines may differ)" :
		       "";
}

static void print_file(struct listing *listing, struct source_finder *finder,
		       uint64_t end_ns)
{
	const char *path = listing->file->file;
	enum source_error error;

	error = profil_source_text_read(&listing->text, finder, path, 0);
	fputs("<div class=file>", listing->out);
	profil_html_name(listing->out, path);
	fputs(reason_of(&listing->text, error, end_ns), listing->out);
	fputs("</div>\n<div class=source role=group tabindex=0 aria-label=\"source\">\n",
	      listing->out);
	print_lines(listing);
	fputs("</div>\n", listing->out);
	profil_source_text_free(&listing->text);
}

/* Line 0 stands for code without a line, whose samples are returned. */
static uint64_t drop_unknown(struct file_hits *file)
{
	if (!file->nr_lines || file->lines->number)
		return 0;
	file->nr_lines--;
	return file->lines++->samples;
}

static int by_file(const void *a, const void *b)
{
	const struct file_hits *one = a, *other = b;

	return strcmp(one->file, other->file);
}

/* Print all files; the samples without a line are returned. */
static uint64_t print_files(struct listing *listing,
			    struct source_finder *finder,
			    struct source_hits *source)
{
	const struct profile_head *head = &listing->profile->head;
	uint64_t end_ns = head->begin_ns ? head->begin_ns + head->wall_ns : 0;
	uint64_t unknown = listing->total - source->samples;

	qsort(source->files, source->nr_files, sizeof(*source->files), by_file);
	for (size_t i = 0; i < source->nr_files; i++) {
		unknown += drop_unknown(&source->files[i]);
		listing->file = &source->files[i];
		listing->last = 0;
		if (listing->file->nr_lines && listing->printed < MAX_LINES)
			print_file(listing, finder, end_ns);
	}
	return unknown;
}

static void print_function(FILE *out, const struct hot *hot,
			   struct source_finder *finder,
			   const struct hot_row *row, bool is_open)
{
	const char *path = hot->profile->objects[row->object].path;
	struct listing listing = {
		.out = out,
		.profile = hot->profile,
		.function = row->function,
		.total = row->samples,
	};
	struct source_hits source;
	struct annotated_function annotated;
	uint64_t unknown;

	profil_annotated_make(&annotated, hot->profile, row->function);
	profil_annotated_drop_inlined(&annotated);
	profil_source_hits_read(&source, &annotated);
	fprintf(out,
		"<details class=card id=f%" PRIu32
		"%s>\n<summary><span class=mono>",
		row->function, is_open ? " open" : "");
	profil_html_name(out, function_of(hot, row)->name);
	fputs("</span><span class=where>", out);
	profil_html_name(out, profil_text_base(path));
	fprintf(out, "</span><span class=num>%.1f&nbsp;%%</span></summary>\n",
		profil_hot_percent(hot, row->samples));
	unknown = print_files(&listing, finder, &source);
	if (unknown)
		fprintf(out,
			"<div class=file>%.1f %% of the function is code without a known line.</div>\n",
			100.0 * unknown / row->samples);
	fputs("</details>\n", out);
	profil_source_hits_free(&source);
	profil_annotated_free(&annotated);
}

void profil_html_source(FILE *out, const struct hot *hot,
			struct source_finder *finder)
{
	int printed = 0;

	for (size_t i = 0; i < hot->nr && i < HOT_ROWS; i++) {
		if (!hot->rows[i].is_source)
			continue;
		if (!printed)
			fputs("<section>\n<h2>Source</h2>\n"
			      "<p class=quiet>Functions with the most samples; each number is a\n"
			      "percentage of its function.</p>\n",
			      out);
		print_function(out, hot, finder, &hot->rows[i], printed < OPEN);
		printed++;
	}
	if (printed)
		fputs("</section>\n", out);
}
