// SPDX-License-Identifier: GPL-2.0-only
/* Profile as a page: a template with data that its script shows */
#include <stdarg.h>

#include "html/print.h"
#include "html/sources.h"
#include "html/stacks.h"
#include "print/heading.h"
#include "print/json.h"
#include "print/notes.h"
#include "util/clock.h"
#include "util/output.h"
#include "util/short_names.h"
#include "util/text.h"

/* Rows of the table of programs */
#define MAX_PROGRAMS 50

/* The line of the template that stands for the data */
#define MARK "@DATA@\n"

/* Least share of an object but the first that is shown, in percent */
#define LEAST_SHARE 0.5

/* Characters of the name of a function in the table */
#define NAME_WIDTH 80

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

static void read_rows(struct rows *rows, const struct profile *profile,
		      enum row_key key)
{
	struct row_choice choice = {
		.by = { key },
		.nr_by = 1,
		.printable = profil_text_utf8,
		.has_totals = key == ROW_FUNCTION,
	};

	profil_rows_read(rows, profile, &choice);
}

/* Print a part of the origin behind the others. */
__attribute__((format(printf, 2, 3))) static void
add_part(FILE *origin, const char *format, ...)
{
	va_list arguments;

	fputs(ftell(origin) > 0 ? " · " : "", origin);
	va_start(arguments, format);
	vfprintf(origin, format, arguments);
	va_end(arguments);
}

static void print_status(FILE *origin, const struct profile_head *head)
{
	if (head->table == TABLE_MACHINE)
		profil_heading_print_subject(origin, head);
	else if (head->format)
		fputs(head->format, origin);
	else
		profil_heading_print_status(origin, head);
}

/* Print how the recording ended, when and where it began, and how many there are. */
static void print_origin(FILE *out, const struct profile_head *head)
{
	time_t seconds = head->begin_ns / SECOND;
	char *text, begin[64] = "";
	FILE *origin = profil_memory_stream(&text, NULL);
	struct tm time;

	print_status(origin, head);
	if (seconds && gmtime_r(&seconds, &time))
		strftime(begin, sizeof(begin), "%Y-%m-%d %H:%M UTC", &time);
	if (*begin)
		add_part(origin, "%s", begin);
	if (*head->host)
		add_part(origin, "%s", head->host);
	if (*head->release)
		add_part(origin, "Linux %s %s", head->release, head->machine);
	if (head->recordings > 1)
		add_part(origin, "sum of %" PRIu64 " recordings",
			 head->recordings);
	profil_memory_stream_end(origin);
	fputs("\"origin\": ", out);
	profil_json_string_cut(out, text);
	free(text);
}

static double percent(double part, double all)
{
	return all ? 100 * part / all : 0;
}

/* A number of samples of all, which are at least one. */
static void print_some(FILE *out, const char *name, uint64_t samples,
		       uint64_t all)
{
	if (samples)
		fprintf(out, ",\n[\"%s\", \"%" PRIu64 "\", \"%.1f %%\"]", name,
			samples, percent(samples, all));
}

/* Print numbers of the head: what each is, the number, and what is behind it. */
static void print_facts(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t samples = profil_profile_total(profile);

	fputs(",\n\"facts\": [", out);
	if (!head->format)
		fprintf(out,
			"[\"CPU time\", \"%.2f\", \"s\"],\n"
			"[\"in the kernel\", \"%.2f\", \"s, %.1f %%\"],\n"
			"[\"wall-clock time\", \"%.2f\", \"s\"],\n",
			head->cpu_ns / 1e9, head->kernel_ns / 1e9,
			percent(head->kernel_ns, head->cpu_ns),
			head->wall_ns / 1e9);
	fprintf(out, "[\"samples\", \"%" PRIu64 "\", \"", samples);
	if (head->period_ns)
		fprintf(out, "one each %.4g ms", head->period_ns / 1e6);
	fputs("\"]", out);
	if (!head->format)
		print_some(out, "lost", head->lost, samples);
	print_some(out, "outside of all code", head->outside, samples);
	fputs("],\n", out);
}

/* What is known of the recording; some of it is not in the report as JSON. */
static void print_head(FILE *out, const struct profile *profile)
{
	print_origin(out, &profile->head);
	print_facts(out, profile);
	profil_json_print_head(out, profile);
}

/* The lines that profil report prints below its table */
static void print_notes(FILE *out, const struct profile *profile)
{
	char *text = profil_notes_text(profile);
	char *rest = text, *line;
	bool is_first = profile->head.is_complete;

	fputs("\"notes\": [", out);
	if (!is_first)
		fputs("\"A snapshot: the command had not ended.\"", out);
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		fputs(is_first ? "" : ",\n", out);
		profil_json_string_cut(out, line);
		is_first = false;
	}
	fputs("],\n", out);
	free(text);
}

static void leave_out_empty_columns(struct view *view)
{
	int nr = 0;

	for (int i = 0; i < view->nr_columns; i++)
		if (!view->columns[i].kind->is_optional ||
		    profil_view_has_numbers(view, &view->columns[i]))
			view->columns[nr++] = view->columns[i];
	view->nr_columns = nr;
}

/* Print a row: "few" or "", the numbers as text, the names or a note. */
static void print_row(FILE *out, const struct view *view, size_t index)
{
	const struct view_row *row = &view->rows[index];

	fprintf(out, "[\"%s\"", row->colour ? "few" : "");
	for (int i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];
		double number = profil_view_cell(view, row, column);

		fputs(", \"", out);
		profil_view_print_number(out, column, number, 0);
		fputs("\"", out);
	}
	for (int i = 0; i < (row->note ? 1 : view->nr_names); i++) {
		fputs(", ", out);
		profil_json_string_cut(out, row->note ?: view->names[i][index]);
	}
	fputs("]", out);
}

void profil_html_print_view(FILE *out, const char *name,
			    const struct view *view)
{
	fprintf(out, "\"%s\": {\"columns\": [", name);
	for (int i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];
		const struct column *kind = column->kind;

		fprintf(out, "%s[\"%s\", \"%s\"]", i ? ", " : "",
			kind->head ?: column->head, kind->title ?: "");
	}
	fputs("], \"names\": [", out);
	for (int i = 0; i < view->nr_names; i++)
		fprintf(out, "%s\"%s\"", i ? ", " : "", view->heads[i]);
	fputs("], \"rows\": [\n", out);
	for (size_t i = 0; i < view->nr; i++) {
		print_row(out, view, i);
		fputs(i + 1 < view->nr ? ",\n" : "", out);
	}
	fputs("]},\n", out);
}

void profil_html_print_names(FILE *out, struct view *view, size_t nr)
{
	char **names = view->names[view->nr_names - 1];

	profil_short_names(names, nr, NAME_WIDTH, "…");
	fputs("\"names\": [", out);
	for (size_t i = 0; i < nr; i++) {
		fputs(i ? ",\n" : "", out);
		profil_json_string(out, names[i]);
	}
	fputs("],\n", out);
}

/* Few samples are in the function, and in what it has called. */
static bool is_grey(const struct rows *rows, const struct row *row)
{
	return row->samples < FEW_SAMPLES &&
	       (!rows->has_totals || row->total < FEW_SAMPLES);
}

/* Print the first rows, and sums of the others and of all. */
static void print_functions(FILE *out, const struct rows *rows)
{
	size_t nr = lesser(rows->nr, HTML_ROWS);
	struct row others = { 0 }, all = { 0 };
	struct view view;

	profil_view_begin_rows(&view, IN_PAGE, rows);
	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->array[i];

		if (i < nr)
			profil_view_add(&view, row, NULL, row->names,
					is_grey(rows, row) ? GREY : NULL);
		else
			row_add(&others, row);
		row_add(&all, row);
	}
	if (rows->nr > nr)
		profil_view_add_note(&view, &others, NULL,
				     profil_format("%zu more rows",
						   rows->nr - nr));
	profil_view_add_note(&view, &all, NULL,
			     profil_format("%zu rows in all", rows->nr));
	leave_out_empty_columns(&view);
	profil_html_print_view(out, "functions", &view);
	profil_html_print_names(out, &view, nr);
	profil_view_end(&view);
}

/* Print the path of each program, if there are several. */
static void print_programs(FILE *out, const struct profile *profile)
{
	struct rows rows;
	struct view view;
	size_t most = profile->nr_programs > 1 ? MAX_PROGRAMS : 0;

	read_rows(&rows, profile, ROW_PROGRAM);
	profil_view_begin_rows(&view, IN_PROGRAMS, &rows);
	for (size_t i = 0; i < rows.nr && view.nr < most; i++) {
		const struct row *row = &rows.array[i];
		const struct profile_program *program;

		if (!row->hottest)
			continue;
		program = &profile->programs[row->hottest->program];
		profil_view_add(&view, row, NULL, (char **)&program->path,
				NULL);
	}
	profil_html_print_view(out, "programs", &view);
	profil_view_end(&view);
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
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_place *place =
			profile_place_of(profile, &profile->samples[i]);

		if (place->object == strip->object)
			widen(strip, place->address, place->address);
	}
}

/* Groups of the samples in the object, by part and function */
static void find_groups(const struct strip *strip, struct groups *groups)
{
	const struct profile *profile = strip->profile;
	uint64_t step = (strip->high - strip->low) / PARTS + 1;

	*groups = (struct groups){ 0 };
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place =
			profile_place_of(profile, sample);
		struct group part = {
			.numbers = { (place->address - strip->low) / step,
				     place->function },
			.samples = profile_samples_of(sample),
			.hottest = sample,
		};

		if (place->object == strip->object)
			profil_groups_add(groups, profile, part);
	}
	profil_groups_sort(groups);
}

static const char *name_of(const struct profile *profile,
			   const struct profile_sample *sample)
{
	uint32_t function = profile_place_of(profile, sample)->function;

	return function == PROFILE_NONE ? "no function" :
					  profile->functions[function].name;
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
	profil_json_string_cut(out, name_of(strip->profile, hottest->hottest));
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
	profil_json_string_cut(out,
			       strip->profile->objects[strip->object].path);
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
			strip.object =
				profile_place_of(profile, row->hottest)->object;
		if (!row->hottest ||
		    profile->objects[strip.object].kind != PROFILE_FILE)
			continue;
		fputs(printed++ ? ",\n" : "", out);
		print_strip(out, &strip);
	}
	fputs("],\n", out);
	profil_rows_free(&objects);
}

static void print_data(FILE *out, const struct profile *profile,
		       const char *directory)
{
	struct rows rows;

	read_rows(&rows, profile, ROW_FUNCTION);
	fputs("{\n", out);
	print_head(out, profile);
	print_notes(out, profile);
	if (profile->nr_stacks)
		profil_html_print_stacks(out, profile);
	print_functions(out, &rows);
	print_programs(out, profile);
	print_strips(out, profile);
	profil_html_print_sources(out, profile, &rows, directory);
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

void profil_html_print_page(FILE *out, const char *json)
{
	const char *mark = strstr(profil_html_template, MARK);

	fwrite(profil_html_template, 1, mark - profil_html_template, out);
	print_inside(out, json);
	fputs(mark + strlen(MARK), out);
}

void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory)
{
	char *json;
	FILE *data = profil_memory_stream(&json, NULL);

	print_data(data, profile, directory);
	profil_memory_stream_end(data);
	profil_html_print_page(out, json);
	free(json);
}
