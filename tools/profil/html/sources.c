// SPDX-License-Identifier: GPL-2.0-only
/* Source of the hot functions of a page, with the samples of each line */
#include "annotate/function.h"
#include "annotate/source_text.h"
#include "html/sources.h"
#include "print/json.h"
#include "util/clock.h"
#include "util/short_names.h"
#include "util/text.h"

/* Least share of a function that is shown, in percent */
#define LEAST_SHARE 0.5

/* Functions that are shown */
#define MAX_FUNCTIONS 20

/* Lines that are shown around one with samples */
#define AROUND 4

/* The declaration is shown if it is this near to the first line with samples. */
#define DECLARATION 16

/* Inlined positions of a line, and characters of the name of each */
#define MAX_INLINED 6
#define NAME_WIDTH 80

/* Lines of a function while they are printed. @last: last printed line of the file, or 0 */
struct source_listing {
	FILE *out;
	const struct profile *profile;
	const struct profile_function *function;
	struct source_text text;
	uint64_t last;
};

static void print_inlined(const struct source_listing *listing,
			  const struct group *inner)
{
	const struct profile_place *place =
		profile_place_of(listing->profile, inner->hottest);
	const struct profile_frame *frame =
		profile_frames_of(listing->profile, place);
	const char *function =
		listing->profile->functions[frame->function].name;
	char *name = profil_text_utf8(function);

	profil_short_names(&name, 1, NAME_WIDTH, "…");
	fprintf(listing->out, ", [%" PRIu64 ", ", inner->samples);
	profil_json_string(listing->out, name);
	free(name);
	fputs(", ", listing->out);
	profil_json_string_cut(listing->out, profil_text_base(frame->file));
	fprintf(listing->out, ", %" PRIu32 "]", frame->line);
}

/* Print the line @number, whose samples are @hits, or NULL if it has none. */
static void print_line(struct source_listing *listing, uint64_t number,
		       const struct line_hits *hits)
{
	char *text = profil_source_text_line(&listing->text, number,
					     profil_json_cut);
	int inlined = 0;

	fprintf(listing->out, ",\n[%" PRIu64 ", %" PRIu64 ", ", number,
		hits ? hits->samples : 0);
	profil_json_string(listing->out, text ? text : "");
	for (size_t i = 0; hits && i < hits->nr_inner; i++)
		if (hits->inner[i].numbers[INNER_IS_INLINED] &&
		    inlined++ < MAX_INLINED)
			print_inlined(listing, &hits->inner[i]);
	fputs("]", listing->out);
	listing->last = number;
	free(text);
}

/* Lines of the recording may be beyond the end of the file. */
static void print_around(struct source_listing *listing, uint64_t from,
			 uint64_t end)
{
	if (from <= listing->last)
		from = listing->last + 1;
	for (; from < end && from <= listing->text.nr; from++)
		print_line(listing, from, NULL);
}

/* First line to show before line @number: the declaration, if near */
static uint64_t context_of(const struct source_listing *listing,
			   const struct file_hits *file, uint32_t number)
{
	const struct profile_function *function = listing->function;

	if (!listing->last && function->file == file->file && function->line &&
	    function->line <= number && number - function->line <= DECLARATION)
		return function->line;
	return number > AROUND ? number - AROUND : 1;
}

static void print_lines(struct source_listing *listing,
			const struct file_hits *file)
{
	const struct line_hits *line = file->lines;
	const struct line_hits *end = line + file->nr_lines;
	uint64_t unknown = line->number ? 0 : line++->samples;

	fprintf(listing->out, "[0, %" PRIu64 ", \"\"]", unknown);
	for (; line < end; line++) {
		uint64_t after = (uint64_t)line->number + AROUND + 1;

		print_around(listing, context_of(listing, file, line->number),
			     line->number);
		print_line(listing, line->number, line);
		if (line + 1 < end && line[1].number < after)
			after = line[1].number;
		print_around(listing, line->number, after);
	}
}

static const char *const notes[] = {
	[SOURCE_READ] = "",
	[SOURCE_MISSING] = "not found: line numbers only",
	[SOURCE_FOREIGN] =
		"not read, as no program here with the build ID of the recording names it: name the directory of the sources with --source",
	[SOURCE_NEWER] = "changed after the recording: lines may differ",
};

/* The reason why the file is not shown, or not as it was */
static const char *note_of(const struct source_listing *listing,
			   enum source_error error)
{
	const struct profile_head *head = &listing->profile->head;
	uint64_t end = (head->begin_ns + head->wall_ns) / SECOND;

	if (!error && !listing->text.nr)
		error = SOURCE_MISSING;
	if (!error && head->begin_ns &&
	    listing->text.written_ns / SECOND > end + 1)
		error = SOURCE_NEWER;
	return notes[error];
}

static void print_file(struct source_listing *listing,
		       struct source_finder *finder,
		       const struct file_hits *file)
{
	enum source_error error =
		profil_source_text_read(&listing->text, finder, file->file, 0);

	fputs("{\"path\": ", listing->out);
	profil_json_string_cut(listing->out, file->file);
	fprintf(listing->out, ", \"note\": \"%s\", \"lines\": [",
		note_of(listing, error));
	listing->last = 0;
	print_lines(listing, file);
	fputs("]}", listing->out);
	profil_source_text_free(&listing->text);
}

/* Print the source of the function in row @at, whose hottest place has a line. */
static void print_function(FILE *out, const struct profile *profile,
			   const struct rows *rows, size_t at,
			   struct source_finder *finder)
{
	uint32_t function =
		profile_place_of(profile, rows->array[at].hottest)->function;
	struct source_listing listing = {
		.out = out,
		.profile = profile,
		.function = &profile->functions[function],
	};
	struct source_hits source;
	struct annotated_function annotated;

	profil_annotated_make(&annotated, profile, function, false);
	profil_source_hits_read(&source, &annotated);
	fprintf(out, "{\"row\": %zu, \"samples\": %.0f, \"files\": [", at,
		rows->array[at].samples);
	for (size_t i = 0; i < source.nr_files; i++) {
		fputs(i ? ",\n" : "", out);
		print_file(&listing, finder, &source.files[i]);
	}
	fputs("]}", out);
	profil_source_hits_free(&source);
	profil_annotated_free(&annotated);
}

void profil_html_print_sources(FILE *out, const struct profile *profile,
			       const struct rows *rows, const char *directory)
{
	struct source_finder finder;
	int printed = 0;

	profil_source_finder_begin(&finder, profile, directory);
	fputs("\"sources\": [", out);
	for (size_t i = 0; i < rows->nr && printed < MAX_FUNCTIONS; i++) {
		const struct row *row = &rows->array[i];

		if (!row->samples ||
		    100 * row->samples < LEAST_SHARE * rows->total)
			break;
		if (!row->hottest ||
		    !profile_place_of(profile, row->hottest)->nr_frames)
			continue;
		fputs(printed++ ? ",\n" : "", out);
		print_function(out, profile, rows, i, &finder);
	}
	fputs("]\n", out);
	profil_source_finder_end(&finder);
}
