// SPDX-License-Identifier: GPL-2.0-only
/* A page of `profil top` */
#include <ctype.h>
#include <time.h>
#include <wchar.h>

#include "print/heading.h"
#include "print/view.h"
#include "top/page.h"
#include "top/screen.h"
#include "util/output.h"
#include "util/text.h"

#define ESCAPE 0x1b

/* Bytes of the colour at @line, or 0 */
static size_t colour_length(const char *line, size_t length)
{
	const char *end = *line == ESCAPE ? memchr(line, 'm', length) : NULL;

	return end ? end + 1 - line : 0;
}

/* Bytes of the character at @line, and its columns */
static size_t character_length(const char *line, size_t length, size_t *width)
{
	mbstate_t state = { 0 };
	wchar_t character;
	size_t bytes = mbrtowc(&character, line, length, &state);
	int columns;

	*width = 1;
	if (!bytes || bytes > length)
		return 1;
	columns = wcwidth(character);
	if (columns >= 0)
		*width = columns;
	return bytes;
}

size_t profil_clip(const char *line, size_t length, size_t columns)
{
	size_t at = 0;

	while (at < length) {
		size_t width = 0;
		size_t bytes = colour_length(line + at, length - at);

		if (!bytes)
			bytes = character_length(line + at, length - at,
						 &width);
		if (width > columns)
			break;
		columns -= width;
		at += bytes;
	}
	return at;
}

static bool is_sentence(const char *line)
{
	return isalpha((unsigned char)*line) || strchr("/[(", *line);
}

/* Bytes of the words that fit; a longer word is not divided. */
static size_t words_length(const char *line, size_t length, size_t columns)
{
	size_t fitting = profil_clip(line, length, columns);
	const char *space;

	if (fitting == length)
		return length;
	space = memrchr(line, ' ', fitting + 1);
	if (!space)
		space = memchr(line, ' ', length);
	return space ? (size_t)(space - line) : length;
}

static void wrap_line(FILE *out, const char *line, size_t length,
		      size_t columns)
{
	if (!is_sentence(line))
		columns = SIZE_MAX;
	do {
		size_t part = words_length(line, length, columns);

		fprintf(out, "%.*s\n", (int)part, line);
		part += part < length;
		line += part;
		length -= part;
	} while (length);
}

void profil_wrap(FILE *out, const char *text, size_t columns)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		wrap_line(out, text, length, columns ? columns : SIZE_MAX);
		text += length + 1;
	}
}

/* 79 characters at most with the arrows, for a terminal of 80 columns */
static const char keys[] =
	"Enter] annotate [q]uit [p]ause [f]unctions [o]bjects [l]ines [z]ero [s]ave";
static const char with_callers[] =
	"Enter] callers [a]nnotate [q]uit [p]ause [f]unc [o]bj [l]ine [z]ero [s]ave";

static double seconds(const struct top_page *page)
{
	return page->head->wall_ns / 1e9;
}

static void print_rate(FILE *out, const struct profile_head *head)
{
	double hz = head->period_ns ? 1e9 / head->period_ns : 0;

	if (hz >= 1000)
		fprintf(out, ", %.4g kHz", hz / 1000);
	else if (hz > 0)
		fprintf(out, ", %.4g Hz", hz);
}

/* The time is left out where the line is too short. */
static void print_time(FILE *out, const struct top_page *page, size_t used)
{
	time_t now = time(NULL);
	char text[16] = "";
	struct tm parts;

	if (localtime_r(&now, &parts))
		strftime(text, sizeof(text), "  %H:%M:%S", &parts);
	if (!page->screen->columns ||
	    used + strlen(text) <= page->screen->columns)
		fputs(text, out);
	fputc('\n', out);
}

/* CPU time comes from the scheduler, and the kernel's part from the samples. */
static void print_load(FILE *out, const struct top_page *page)
{
	const struct profile_head *head = page->head;
	double wall = seconds(page);

	if (wall > 0)
		fprintf(out, ", %.2f of %ld CPUs", head->cpu_ns / 1e9 / wall,
			sysconf(_SC_NPROCESSORS_ONLN));
	if (head->samples)
		fprintf(out, ", %.0f %% in the kernel",
			100.0 * head->kernel_samples / head->samples);
}

static void print_subject(FILE *out, const struct top_page *page)
{
	const struct profile_head *head = page->head;
	const char *program = head->argc ? head->argv[0] : "";

	if (head->table == TABLE_MACHINE) {
		profil_heading_print_subject(out, head);
		return;
	}
	profil_text_print(out, profil_text_base(program));
	fprintf(out, ": %llu process%s", head->taken.running,
		head->taken.running == 1 ? "" : "es");
}

static char *head_of(const struct top_page *page)
{
	char *text;
	FILE *out = profil_memory_stream(&text, NULL);

	print_subject(out, page);
	print_load(out, page);
	fprintf(out, "  last %.1f s", seconds(page));
	print_rate(out, page->head);
	profil_memory_stream_end(out);
	return text;
}

static void print_head(FILE *out, const struct top_page *page)
{
	char *head = head_of(page);

	fputs(head, out);
	print_time(out, page, profil_text_width(head));
	free(head);
}

static void add_rows(struct view *view, const struct top_page *page)
{
	const struct selection *selection = page->selection;
	size_t end = page->table->nr;

	if (page->limit && end > selection->first + page->limit)
		end = selection->first + page->limit;
	for (size_t i = selection->first; i < end; i++) {
		const struct top_row *row = &page->table->array[i];
		bool is_selected = page->screen->has_keys &&
				   i == selection->index;

		profil_view_add(view, &row->sides[INTERVAL], &row->sides[TOTAL],
				row->names, is_selected ? REVERSE : NULL);
	}
}

static void print_rows(FILE *out, const struct top_page *page)
{
	char *interval = profil_format("%.1f s", seconds(page));
	const struct rows *sides = page->table->sides;
	struct view view = {
		.in = IN_TOP,
		.sides = { { interval, &sides[INTERVAL] },
			   { "so far", &sides[TOTAL] } },
		.nr_sides = ALL,
		.heads = sides[ALL].heads,
		.nr_names = sides[ALL].nr_names,
	};

	profil_view_begin(&view);
	view.columns[0].width -= 2;
	add_rows(&view, page);
	profil_view_print(out, &view, page->screen->columns);
	profil_view_end(&view);
	free(interval);
}

void profil_top_page_print_keys(FILE *out, const char *message,
				const char *line, bool is_paused)
{
	const char *arrows = profil_text_sign("↑↓", "j/k");

	if (*message)
		fprintf(out, "%s\n", message);
	else
		fprintf(out, "%s[%s %s\n", is_paused ? "paused  " : "", arrows,
			line);
}

void profil_top_page_print(FILE *out, const struct top_page *page)
{
	bool has_callers = page->table->sides[ALL].has_totals;

	print_head(out, page);
	print_rows(out, page);
	if (*page->message || page->screen->has_keys)
		profil_top_page_print_keys(out, page->message,
					   has_callers ? with_callers : keys,
					   page->is_paused);
}
