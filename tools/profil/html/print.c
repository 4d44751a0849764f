// SPDX-License-Identifier: GPL-2.0-only
/* Profile as a page: a template with data that its script shows */
#include "annotate/function.h"
#include "annotate/source_text.h"
#include "html/print.h"
#include "print/heading.h"
#include "print/json.h"
#include "print/notes.h"
#include "util/clock.h"
#include "util/short_names.h"
#include "util/text.h"

/* Rows of the table of programs */
#define MAX_PROGRAMS 50

/* The line of the template that stands for the data */
#define MARK "@DATA@\n"

/* Least share of a function, or of an object but the first, that is shown, in percent */
#define LEAST_SHARE 0.5

/* Rows of the table; the others are added up. */
#define HTML_ROWS 2000

/* The assembler includes the file whose name continues that of this one. */
__asm__(".pushsection .rodata\n"
	".global profil_html_template\nprofil_html_template:\n"
	".type profil_html_template, %object\n"
	".incbin \"" __FILE__ ".html\"\n"
	".byte 0\n"
	".size profil_html_template, . - profil_html_template\n"
	".popsection\n");

/* Characters of a name or line; a longer one is cut. */
#define WIDTH 300

/* Characters of the name of a function in the table, and of one that was inlined */
#define NAME_WIDTH 80

#define ELLIPSIS "…"

/* Copy of @text as printable UTF-8; the end of a long one is left out. */
static char *printable(const char *text)
{
	char *name = profil_text_utf8(text);
	size_t kept = profil_text_bytes(name, WIDTH);

	name = profil_grow(name, kept + sizeof(ELLIPSIS), 1);
	if (name[kept])
		memcpy(name + kept, ELLIPSIS, sizeof(ELLIPSIS));
	return name;
}

/* Print such a copy as a string of JSON. */
static void print_string(FILE *out, const char *text)
{
	char *name = printable(text);

	profil_json_string(out, name);
	free(name);
}

static void read_rows(struct rows *rows, const struct profile *profile,
		      enum row_key key)
{
	struct row_choice choice = {
		.by = { key },
		.nr_by = 1,
		.printable = printable,
	};

	profil_rows_read(rows, profile, &choice);
}

/* What the report as JSON does not have */
static void print_head(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	char *text;
	size_t size;
	FILE *status = profil_memory_stream(&text, &size);

	if (head->table == TABLE_MACHINE)
		profil_heading_print_subject(status, head);
	else if (head->format)
		fputs(head->format, status);
	else
		profil_heading_print_status(status, head);
	profil_memory_stream_end(status);
	fprintf(out, "\"is_recording\": %s,\n\"status\": ",
		head->format ? "false" : "true");
	print_string(out, text);
	free(text);
	fprintf(out, ",\n\"outside\": %" PRIu64 ",\n", head->outside);
}

/* The lines that profil report prints below its table */
static void print_notes(FILE *out, const struct profile *profile)
{
	char *text = profil_notes_text(profile);
	char *rest = text, *line;
	bool is_first = true;

	fputs("\"notes\": [", out);
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		fputs(is_first ? "" : ",\n", out);
		print_string(out, line);
		is_first = false;
	}
	fputs("],\n", out);
	free(text);
}

static void print_kernel(FILE *out, const struct rows *rows)
{
	double kernel = 0;

	for (size_t i = 0; i < rows->nr; i++)
		kernel += rows->array[i].kernel;
	fprintf(out, "\"kernel_samples\": %.0f,\n", kernel);
}

/* Print samples and path of each program, if there are several. */
static void print_programs(FILE *out, const struct profile *profile)
{
	struct rows rows = { 0 };
	int printed = 0;

	if (profile->nr_programs > 1)
		read_rows(&rows, profile, ROW_PROGRAM);
	fputs("\"programs\": [", out);
	for (size_t i = 0; i < rows.nr && printed < MAX_PROGRAMS; i++) {
		const struct row *row = &rows.array[i];
		const struct profile_program *program;

		if (!row->hottest)
			continue;
		fprintf(out, "%s[%.0f, ", printed++ ? ",\n" : "", row->samples);
		program = &profile->programs[row->hottest->program];
		print_string(out, program->path);
		fputs("]", out);
	}
	fputs("],\n", out);
	profil_rows_free(&rows);
}

/* Code by address: a strip for each object, in parts of equal size */

/* Parts of a strip */
#define PARTS 480

/* Objects that are shown */
#define MAX_OBJECTS 12

/* Code of an object, from its lowest address to its highest */
struct strip {
	const struct profile *profile;
	uint32_t object;
	uint64_t low;
	uint64_t high;
};

static void widen(struct strip *strip, uint64_t from, uint64_t last)
{
	if (from < strip->low)
		strip->low = from;
	if (last > strip->high)
		strip->high = last;
}

/* Executable segments, and places that a malformed file has outside of them */
static void find_range(struct strip *strip)
{
	const struct profile *profile = strip->profile;

	strip->low = UINT64_MAX;
	strip->high = 0;
	for (uint32_t i = 0; i < profile->nr_segments; i++) {
		const struct profile_segment *segment = &profile->segments[i];

		if (segment->object == strip->object && segment->size)
			widen(strip, segment->address,
			      segment->address + segment->size - 1);
	}
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (profile->places[i].object == strip->object)
			widen(strip, profile->places[i].address,
			      profile->places[i].address);
}

/* Groups of the places of the object, by part and function */
static void find_groups(const struct strip *strip, struct groups *groups)
{
	const struct profile *profile = strip->profile;
	uint64_t step = (strip->high - strip->low) / PARTS + 1;

	*groups = (struct groups){ 0 };
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];
		struct group *group;

		if (place->object != strip->object)
			continue;
		group = profil_groups_add(groups, place,
					  profile_samples_of(place));
		group->numbers[0] = (place->address - strip->low) / step;
		group->numbers[1] = place->function;
	}
	profil_groups_join(groups);
}

static const char *name_of(const struct profile *profile,
			   const struct profile_place *place)
{
	return place->function == PROFILE_NONE ?
		       "no function" :
		       profile->functions[place->function].name;
}

/* Print the part whose first group is @group, and return the group after its last. */
static const struct group *print_part(FILE *out, const struct strip *strip,
				      const struct group *group,
				      const struct group *end)
{
	const struct group *hottest = group;
	uint64_t part = group->numbers[0], samples = 0;

	for (; group < end && group->numbers[0] == part; group++) {
		samples += group->samples;
		if (group->samples > hottest->samples)
			hottest = group;
	}
	fprintf(out, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", ", part, samples,
		hottest->samples);
	print_string(out, name_of(strip->profile, hottest->hottest));
	fputs(group < end ? "],\n" : "]", out);
	return group;
}

static void print_strip(FILE *out, struct strip *strip)
{
	const struct group *group, *end;
	struct groups groups;

	find_range(strip);
	find_groups(strip, &groups);
	fputs("{\"path\": ", out);
	print_string(out, strip->profile->objects[strip->object].path);
	fprintf(out,
		", \"low\": \"0x%" PRIx64 "\", \"high\": \"0x%" PRIx64
		"\", \"parts\": [\n",
		strip->low, strip->high);
	group = groups.array;
	end = group + groups.nr;
	while (group < end)
		group = print_part(out, strip, group, end);
	fputs("]}", out);
	profil_groups_free(&groups);
}

static void print_strips(FILE *out, const struct profile *profile)
{
	struct strip strip = { .profile = profile };
	struct rows objects;
	int printed = 0;

	read_rows(&objects, profile, ROW_OBJECT);
	fputs("\"strips\": [", out);
	for (size_t i = 0; i < objects.nr && printed < MAX_OBJECTS; i++) {
		const struct row *row = &objects.array[i];

		if (printed && 100 * row->samples < LEAST_SHARE * objects.total)
			break;
		if (row->hottest)
			strip.object = row->hottest->object;
		if (!row->hottest ||
		    profile->objects[strip.object].kind != PROFILE_FILE)
			continue;
		fputs(printed++ ? ",\n" : "", out);
		print_strip(out, &strip);
	}
	fputs("],\n", out);
	profil_rows_free(&objects);
}

/* Source of the hot functions, with the samples of each line */

/* Functions that are shown */
#define MAX_FUNCTIONS 20

/* Lines that are shown around one with samples */
#define AROUND 4

/* The declaration is shown if it is this near to the first line with samples. */
#define DECLARATION 16

/* Inlined positions of a line */
#define MAX_INLINED 6

/* Lines of a function while they are printed. @last: last printed line of the file, or 0 */
struct listing {
	FILE *out;
	const struct profile *profile;
	const struct profile_function *function;
	struct source_text text;
	uint64_t last;
};

static void print_inlined(const struct listing *listing,
			  const struct group *inner)
{
	const struct profile_frame *frame =
		profile_frames_of(listing->profile, inner->hottest);
	const char *function =
		listing->profile->functions[frame->function].name;
	char *name = profil_text_utf8(function);

	profil_short_names(&name, 1, NAME_WIDTH, ELLIPSIS);
	fprintf(listing->out, ", [%" PRIu64 ", ", inner->samples);
	profil_json_string(listing->out, name);
	free(name);
	fputs(", ", listing->out);
	print_string(listing->out, profil_text_base(frame->file));
	fprintf(listing->out, ", %" PRIu32 "]", frame->line);
}

/* Print the line @number, whose samples are @hits, or NULL if it has none. */
static void print_line(struct listing *listing, uint64_t number,
		       const struct line_hits *hits)
{
	char *text = profil_source_text_line(&listing->text, number, printable);
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
static void print_around(struct listing *listing, uint64_t from, uint64_t end)
{
	if (from <= listing->last)
		from = listing->last + 1;
	for (; from < end && from <= listing->text.nr; from++)
		print_line(listing, from, NULL);
}

/* First line to show before line @number: the declaration, if near */
static uint64_t context_of(const struct listing *listing,
			   const struct file_hits *file, uint32_t number)
{
	const struct profile_function *function = listing->function;

	if (!listing->last && function->file == file->file && function->line &&
	    function->line <= number && number - function->line <= DECLARATION)
		return function->line;
	return number > AROUND ? number - AROUND : 1;
}

static void print_lines(struct listing *listing, const struct file_hits *file)
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
static const char *note_of(const struct listing *listing,
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

static void print_file(struct listing *listing, struct source_finder *finder,
		       const struct file_hits *file)
{
	enum source_error error =
		profil_source_text_read(&listing->text, finder, file->file, 0);

	fputs("{\"path\": ", listing->out);
	print_string(listing->out, file->file);
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
	uint32_t function = rows->array[at].hottest->function;
	struct listing listing = {
		.out = out,
		.profile = profile,
		.function = &profile->functions[function],
	};
	struct source_hits source;
	struct annotated_function annotated;

	profil_annotated_make(&annotated, profile, function, false);
	profil_source_hits_read(&source, &annotated);
	fprintf(out, "{\"row\": %zu, \"files\": [", at);
	for (size_t i = 0; i < source.nr_files; i++) {
		fputs(i ? ",\n" : "", out);
		print_file(&listing, finder, &source.files[i]);
	}
	fputs("]}", out);
	profil_source_hits_free(&source);
	profil_annotated_free(&annotated);
}

/*
 * Print the source of the functions with the most samples: the index of the row, and
 * the files, with an array for each line: its number, its samples, its text, and the
 * code inlined in it, each with samples, name, file and line. The first is line 0, for
 * code without a line.
 */
static void print_sources(FILE *out, const struct profile *profile,
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
		if (!row->hottest || !row->hottest->nr_frames)
			continue;
		fputs(printed++ ? ",\n" : "", out);
		print_function(out, profile, rows, i, &finder);
	}
	fputs("],\n", out);
	profil_source_finder_end(&finder);
}

/* The whole name of the function of @row */
static char *whole_name(const struct profile *profile, const struct rows *rows,
			const struct row *row)
{
	const struct profile_place *place = row->hottest;

	if (!place || place->function == PROFILE_NONE)
		return profil_copy_string(row->names[rows->nr_names - 1]);
	return profil_text_utf8(profile->functions[place->function].name);
}

/* Print the short name of the function in each row. */
static void print_names(FILE *out, const struct profile *profile,
			const struct rows *rows)
{
	size_t nr = lesser(rows->nr, HTML_ROWS);
	char **names = profil_grow(NULL, nr + 1, sizeof(*names));

	for (size_t i = 0; i < nr; i++)
		names[i] = whole_name(profile, rows, &rows->array[i]);
	profil_short_names(names, nr, NAME_WIDTH, ELLIPSIS);
	fputs("\"names\": [", out);
	for (size_t i = 0; i < nr; i++) {
		fputs(i ? ",\n" : "", out);
		profil_json_string(out, names[i]);
		free(names[i]);
	}
	fputs("],\n", out);
	free(names);
}

static void print_data(FILE *out, const struct profile *profile,
		       const char *directory)
{
	struct rows rows;

	read_rows(&rows, profile, ROW_FUNCTION);
	fputs("{\n", out);
	print_head(out, profile);
	print_notes(out, profile);
	print_kernel(out, &rows);
	print_programs(out, profile);
	print_strips(out, profile);
	print_sources(out, profile, &rows, directory);
	print_names(out, profile, &rows);
	fputs("\"report\": ", out);
	profil_json_print(out, profile, &rows, 0, HTML_ROWS);
	fputs("}\n", out);
	profil_rows_free(&rows);
}

/* No string of the data ends its element. */
static void print_inside(FILE *out, const char *json)
{
	for (; *json; json++)
		if (*json == '<')
			fputs("\\u003c", out);
		else
			fputc(*json, out);
}

void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory)
{
	const char *mark = strstr(profil_html_template, MARK);
	char *json;
	size_t size;
	FILE *data = profil_memory_stream(&json, &size);

	print_data(data, profile, directory);
	profil_memory_stream_end(data);
	fwrite(profil_html_template, 1, mark - profil_html_template, out);
	print_inside(out, json);
	fputs(mark + strlen(MARK), out);
	free(json);
}
