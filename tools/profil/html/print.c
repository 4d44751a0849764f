// SPDX-License-Identifier: GPL-2.0-only
/* Profile as a page: a template with data that its script shows */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "html/print.h"
#include "print/print.h"
#include "profile/group.h"
#include "util/memory.h"
#include "util/text.h"

/* Rows of the table of programs */
#define MAX_PROGRAMS 50

/* The line of the template that stands for the data */
#define MARK "@DATA@\n"

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
		.printable = profil_html_printable,
	};

	profil_rows_read(rows, profile, &choice);
}

/* The name of a cgroup may have any character. */
static void print_subject(FILE *out, const struct profile_head *head)
{
	char *text;
	size_t size;
	FILE *subject = profil_memory_stream(&text, &size);

	profil_heading_print_subject(subject, head);
	profil_memory_stream_end(subject);
	profil_html_string(out, text);
	free(text);
}

/* What the report as JSON does not have */
static void print_head(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;

	fprintf(out, "\"is_recording\": %s,\n\"status\": ",
		head->format ? "false" : "true");
	if (head->table == TABLE_MACHINE) {
		print_subject(out, head);
	} else if (head->format) {
		fprintf(out, "\"%s\"", head->format);
	} else {
		fputc('"', out);
		profil_heading_print_status(out, head);
		fputc('"', out);
	}
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
		profil_html_string(out, line);
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
		profil_html_string(out, program->path);
		fputs("]", out);
	}
	fputs("],\n", out);
	profil_rows_free(&rows);
}

/* Code by address: a strip for each object, in parts of equal size */

/* Parts of a strip */
#define PARTS 480

/* Objects that are shown, and the least share of the last, in percent */
#define MAX_OBJECTS 12
#define LEAST_SHARE 0.5

/**
 * struct strip - code of an object
 * @profile: the profile
 * @object: index of the object
 * @low: its lowest address
 * @high: its highest address
 */
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

	profil_groups_begin(groups, profile->nr_places);
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
	profil_html_string(out, name_of(strip->profile, hottest->hottest));
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
	profil_html_string(out, strip->profile->objects[strip->object].path);
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
	profil_html_sources(out, profile, &rows, directory);
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
