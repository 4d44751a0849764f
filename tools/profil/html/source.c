// SPDX-License-Identifier: GPL-2.0-only
/* Annotated source of the hot functions */
#include <inttypes.h>
#include <string.h>

#include "html/escape.h"
#include "html/lines.h"
#include "html/source.h"
#include "html/source_file.h"
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

/**
 * struct listing - lines of a function in one file while they are printed
 * @out: destination
 * @profile: the profile
 * @function: index of the function
 * @first: first line with samples
 * @end: after the last line with samples
 * @total: samples of the function
 * @text: the file
 * @printed: number of printed lines of the file
 * @last: last printed line, or 0
 */
struct listing {
	FILE *out;
	const struct profile *profile;
	uint32_t function;
	const struct line *first;
	const struct line *end;
	uint64_t total;
	struct source_file text;
	size_t printed;
	uint64_t last;
};

static const struct profile_function *function_of(const struct hot *hot,
						  const struct hot_row *row)
{
	return &hot->profile->functions[row->function];
}

/* Places of a function, which may lie apart: from the first to the last */
static void places_of(const struct profile *profile, uint32_t function,
		      uint32_t *first, uint32_t *end)
{
	*first = profile->nr_places;
	*end = 0;
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		if (profile->places[i].function != function)
			continue;
		if (i < *first)
			*first = i;
		*end = i + 1;
	}
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

static uint64_t samples_of_line(const struct listing *listing,
				const struct line *line)
{
	uint64_t samples = 0;

	for (uint32_t at = line->line; line < listing->end && line->line == at;
	     line++)
		samples += line->samples;
	return samples;
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
			  const struct line *line)
{
	const struct profile *profile = listing->profile;

	fprintf(listing->out,
		"<span class=in><b>%.1f</b><u></u><code>  ↳ inlined ",
		percent(listing, line->samples));
	profil_html_name(listing->out, profile->functions[line->inlined].name);
	if (*line->inlined_file) {
		fputs(", ", listing->out);
		profil_html_name(listing->out,
				 profil_text_base(line->inlined_file));
		fprintf(listing->out, ":%" PRIu32, line->inlined_line);
	}
	fputs("</code></span>\n", listing->out);
}

/* Inlined code of the line that @line is the first of; returns the next line. */
static const struct line *print_all_inlined(const struct listing *listing,
					    const struct line *line)
{
	uint32_t at = line->line;
	int printed = 0;

	for (; line < listing->end && line->line == at; line++)
		if (line->inlined != PROFILE_NONE && printed++ < MAX_INLINED)
			print_inlined(listing, line);
	return line;
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

static void print_hot(struct listing *listing, const struct line *line)
{
	uint64_t samples = samples_of_line(listing, line);

	fprintf(listing->out, "<span%s>",
		percent(listing, samples) >= 10 ? " class=hot" : "");
	print_number(listing, samples);
	fprintf(listing->out, "<u>%" PRIu32 "</u><code>", line->line);
	print_text(listing, line->line);
	fputs("</code></span>\n", listing->out);
	listing->last = line->line;
	listing->printed++;
}

/* First line of the context: the declaration, if it is near */
static uint32_t context_of(const struct listing *listing)
{
	const struct profile_function *function =
		&listing->profile->functions[listing->function];
	uint32_t line = listing->first->line;

	if (function->file == listing->first->file && function->line &&
	    function->line <= line && line - function->line <= DECLARATION)
		return function->line;
	return line > AROUND ? line - AROUND : 1;
}

static void print_lines(struct listing *listing)
{
	const struct line *line = listing->first;
	uint64_t from = context_of(listing);

	while (line < listing->end && listing->printed < MAX_LINES) {
		const struct line *next;

		print_plain(listing, from, line->line - 1);
		print_hot(listing, line);
		next = print_all_inlined(listing, line);
		if (next == listing->end ||
		    next->line - line->line > 2 * AROUND)
			print_plain(listing, listing->last + 1,
				    listing->last + AROUND);
		line = next;
		if (line < listing->end)
			from = line->line - listing->last > 2 * AROUND ?
				       line->line - AROUND :
				       listing->last + 1;
	}
	if (line < listing->end)
		fputs("<span class=gap><b></b><u>⋯</u><code>more lines</code></span>\n",
		      listing->out);
}

static const char *const errors[] = {
	[SOURCE_FOREIGN] =
		" (not read, as no program here with the build ID of the recording names it: name the directory of the sources with --source)",
};

/* The reason why the file is not shown, or not as it was */
static const char *reason_of(const struct source_file *file)
{
	if (file->error == SOURCE_FOREIGN)
		return errors[SOURCE_FOREIGN];
	if (!file->nr)
		return " (not found: line numbers only)";
	return file->is_newer ?
		       " (changed after the recording: lines may differ)" :
		       "";
}

static void print_file(struct listing *listing, struct source_finder *finder,
		       uint64_t end_ns)
{
	const char *path = listing->first->file;

	profil_source_file_read(&listing->text, finder, path, end_ns);
	fputs("<div class=file>", listing->out);
	profil_html_name(listing->out, path);
	fputs(reason_of(&listing->text), listing->out);
	fputs("</div>\n<div class=source role=group tabindex=0 aria-label=\"source\">\n",
	      listing->out);
	print_lines(listing);
	fputs("</div>\n", listing->out);
	profil_source_file_free(&listing->text);
}

static void print_files(FILE *out, const struct hot *hot,
			struct source_finder *finder, const struct hot_row *row,
			const struct lines *lines)
{
	const struct profile_head *head = &hot->profile->head;
	uint64_t end_ns = head->begin_ns ? head->begin_ns + head->wall_ns : 0;
	struct listing listing = {
		.out = out,
		.profile = hot->profile,
		.function = row->function,
		.total = row->samples,
	};
	const struct line *line = lines->array;

	while (line < lines->array + lines->nr) {
		listing.first = line;
		listing.last = 0;
		while (line < lines->array + lines->nr &&
		       line->file == listing.first->file)
			line++;
		listing.end = line;
		if (listing.printed < MAX_LINES)
			print_file(&listing, finder, end_ns);
	}
}

static void print_function(FILE *out, const struct hot *hot,
			   struct source_finder *finder,
			   const struct hot_row *row, bool is_open)
{
	const char *path = hot->profile->objects[row->object].path;
	uint32_t first, end;
	struct lines lines;

	places_of(hot->profile, row->function, &first, &end);
	profil_lines_read(&lines, hot->profile, row->function, first, end);
	fprintf(out,
		"<details class=card id=f%" PRIu32
		"%s>\n<summary><span class=mono>",
		row->function, is_open ? " open" : "");
	profil_html_name(out, function_of(hot, row)->name);
	fputs("</span><span class=where>", out);
	profil_html_name(out, profil_text_base(path));
	fprintf(out, "</span><span class=num>%.1f&nbsp;%%</span></summary>\n",
		profil_hot_percent(hot, row->samples));
	print_files(out, hot, finder, row, &lines);
	if (lines.unknown)
		fprintf(out,
			"<div class=file>%.1f %% of the function is code without a known line.</div>\n",
			100.0 * lines.unknown / row->samples);
	fputs("</details>\n", out);
	profil_lines_free(&lines);
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
