// SPDX-License-Identifier: GPL-2.0-only
/*
 * top_pages: parts of the pages of `profil top`, by the lines of stdin:
 *
 *	total|interval OBJECT FUNCTION SAMPLES [TOTAL]
 *		a row since the beginning, or since the last refresh, with the samples of what
 *		it calls; the FUNCTION "itself" is the last row
 *	page NR		the page of these rows, with NR at most; they are forgotten.
 *	select STEP NR LETTERS
 *		a table of these functions, the busiest first, of which NR are shown;
 *		the selection moves by STEP. Prints what is selected, and the first row
 *		that is shown. Without LETTERS, the table is empty.
 *	clip NR TEXT	what fits in NR columns
 *	wrap NR TEXT	TEXT, whose lines end with a |, in NR columns
 *	view FIRST NR TEXT
 *		a function's text, whose lines end with a |: the heading, and the lines from
 *		FIRST on, in NR lines
 *	calls|lines NR FUNCTION
 *		the function of the profil.data, in NR lines: its callers and what it calls, or
 *		its lines after these
 */
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "profile/data_file.h"
#include "top/function.h"
#include "top/page.h"
#include "top/screen.h"
#include "util/base.h"

static const struct rows empty = { .heads = { "object", "function" },
				   .nr_names = 2 };
static struct top_table table;
static struct selection selection;

static void add(enum top_side side, const char *object, const char *function,
		double samples, double total)
{
	struct rows *rows = &table.sides[side];
	struct row row = {
		.names = { profil_copy_string(object),
			   profil_copy_string(function) },
		.samples = samples,
		.total = total,
		.is_last = !strcmp(function, "itself"),
	};

	ARRAY_ADD(rows->array, rows->nr, row);
	rows->total += samples;
	rows->has_totals = total;
	if (side == TOTAL)
		add(ALL, object, function, samples, total);
}

static void forget(void)
{
	profil_top_table_free(&table);
	for (enum top_side side = 0; side < TOP_SIDES; side++)
		table.sides[side] = empty;
}

static void print_page(size_t nr)
{
	const char *name = "/usr/bin/server";
	struct profile_head head = {
		.argv = &name,
		.argc = 1,
		.wall_ns = 2000000000,
		.cpu_ns = 3000000000,
		.period_ns = 1000000,
		.samples = 3000,
		.kernel_samples = 750,
		.taken.running = 7,
	};
	static const struct screen none;
	struct top_page page = {
		.screen = &none,
		.head = &head,
		.table = &table,
		.selection = &selection,
		.limit = nr,
		.message = "",
	};

	profil_top_table_make(&table);
	profil_top_page_print(stdout, &page);
	forget();
}

static void place(size_t shown, const char *letters)
{
	char name[2] = "";

	for (size_t i = 0; letters[i]; i++) {
		name[0] = letters[i];
		add(TOTAL, "object", name, 100 - i, 0);
		add(INTERVAL, "object", name, 100 - i, 0);
	}
	profil_top_table_make(&table);
	profil_selection_place(&selection, &table, shown);
	printf("%zu, first %zu\n", selection.index, selection.first);
	selection.step = 0;
	forget();
}

static char *end_lines(char *text)
{
	for (char *at = text; (at = strchr(at, '|'));)
		*at = '\n';
	return text;
}

static void print_view(size_t first, size_t lines, char *text)
{
	struct top_function shown = { .text = end_lines(text), .first = first };

	profil_top_function_print(stdout, &shown, lines);
}

static const struct profile_place *place_of(const struct profile *profile,
					    const char *name)
{
	for (uint32_t i = 0; i < profile->nr_places; i++) {
		uint32_t function = profile->places[i].function;

		if (function != PROFILE_NONE &&
		    !strcmp(profile->functions[function].name, name))
			return &profile->places[i];
	}
	exit(3);
}

static void print_function(bool has_lines, size_t lines, const char *name)
{
	int fd = open("profil.data", O_RDONLY | O_CLOEXEC);
	struct top_function shown = { 0 };
	struct profile profile;
	char text[256];

	profil_profile_init(&profile);
	if (fd < 0 || profil_data_read(&profile, fd, text))
		exit(3);
	close(fd);
	profil_top_function_open(&shown, &profile, place_of(&profile, name), 79,
				 true);
	if (has_lines)
		profil_top_function_annotate(&shown, &profile);
	profil_top_function_print(stdout, &shown, lines);
	profil_top_function_close(&shown);
	profil_profile_free(&profile);
}

static void run(char *line)
{
	char name[16], object[64], function[64] = "";
	size_t nr = 0, first;
	double number, all = 0;
	int text = 0;

	if (sscanf(line, "%15s %63s %63s %lf %lf", name, object, function,
		   &number, &all) > 3 &&
	    strchr("ti", *name))
		add(*name == 't' ? TOTAL : INTERVAL, object, function, number,
		    all);
	else if (sscanf(line, "page %zu", &nr) == 1)
		print_page(nr);
	else if (sscanf(line, "select %ld %zu %n", &selection.step, &nr,
			&text) > 1)
		place(nr, line + text);
	else if (sscanf(line, "clip %zu %n", &nr, &text) == 1)
		printf("%.*s\n",
		       (int)profil_clip(line + text, strlen(line + text), nr),
		       line + text);
	else if (sscanf(line, "wrap %zu%n", &nr, &text) == 1)
		profil_wrap(stdout, end_lines(line + text + 1), nr);
	else if (sscanf(line, "view %zu %zu%n", &first, &nr, &text) == 2)
		print_view(first, nr, line + text + 1);
	else if (sscanf(line, "%15s %zu %63[^\n]", name, &nr, function) == 3)
		print_function(*name == 'l', nr, function);
	else
		exit(2);
}

int main(void)
{
	char line[4096];

	setlocale(LC_ALL, "C.UTF-8");
	forget();
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		run(line);
	}
	profil_selection_reset(&selection);
	return 0;
}
