// SPDX-License-Identifier: GPL-2.0-only
/* Pages of `profil top`, made of written rows */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "top/page.h"
#include "top/table.h"
#include "util/array.h"
#include "util/memory.h"

static void add(struct rows *rows, const char *object, const char *function,
		double samples)
{
	struct row row = {
		.names = { profil_copy_string(object),
			   profil_copy_string(function) },
		.samples = samples,
	};

	ARRAY_ADD(rows->array, rows->nr, row);
}

static struct rows empty(void)
{
	return (struct rows){
		.heads = { "object", "function" },
		.nr_names = 2,
	};
}

static void free_all(struct top_table *table, struct rows *now,
		     struct rows *before, struct rows *zero)
{
	profil_top_table_free(table);
	profil_rows_free(now);
	profil_rows_free(before);
	profil_rows_free(zero);
}

static bool is_row(const struct top_row *row, const char *function,
		   double interval, double total)
{
	CHECK(!strcmp(row->names[1], function));
	CHECK_EQUAL(interval, row->interval);
	CHECK_EQUAL(total, row->total);
	return true;
}

TEST("shares of the last interval and of all time")
{
	struct rows now = empty(), before = empty(), zero = empty();
	struct top_table table;

	add(&zero, "a", "old", 5);
	add(&before, "a", "old", 7);
	add(&before, "a", "busy", 10);
	add(&now, "a", "old", 7);
	add(&now, "a", "busy", 50);
	add(&now, "b", "new", 3);
	profil_top_table_make(&table, &now, &before, &zero);
	CHECK_EQUAL(3, table.nr);
	CHECK(is_row(&table.array[0], "busy", 40, 50));
	CHECK(is_row(&table.array[1], "new", 3, 3));
	CHECK(is_row(&table.array[2], "old", 0, 2));
	CHECK_EQUAL(43, table.interval);
	CHECK_EQUAL(55, table.total);
	free_all(&table, &now, &before, &zero);
	return true;
}

TEST("functions of one name are one row")
{
	struct rows now = empty(), before = empty(), zero = empty();
	struct top_table table;

	add(&before, "a", "same", 1);
	add(&before, "a", "same", 2);
	add(&now, "a", "same", 10);
	add(&now, "b", "same", 6);
	add(&now, "a", "same", 4);
	profil_top_table_make(&table, &now, &before, &zero);
	CHECK_EQUAL(2, table.nr);
	CHECK(is_row(&table.array[0], "same", 11, 14));
	CHECK(is_row(&table.array[1], "same", 6, 6));
	free_all(&table, &now, &before, &zero);
	return true;
}

TEST("no rows at first")
{
	struct rows now = empty(), before = empty(), zero = empty();
	struct top_table table;

	profil_top_table_make(&table, &now, &before, &zero);
	CHECK_EQUAL(0, table.nr);
	free_all(&table, &now, &before, &zero);
	return true;
}

static char *print(const struct top_page *page)
{
	char *text;
	size_t size;
	FILE *out = profil_memory_stream(&text, &size);

	profil_top_page_print(out, page);
	fclose(out);
	return text;
}

TEST("the lines of a page")
{
	const char *name = "/usr/bin/server";
	struct profile_head first = { .wall_ns = 1000000000,
				      .cpu_ns = 1500000000 };
	struct profile_head head = {
		.argv = &name,
		.argc = 1,
		.wall_ns = 3000000000,
		.cpu_ns = 4500000000,
		.period_ns = 1000000,
		.samples = 3000,
		.kernel_samples = 750,
	};
	struct rows now = empty(), none = empty();
	struct top_table table;
	struct top_page page = {
		.now = &head,
		.before = &first,
		.processes = 7,
		.table = &table,
		.rows = &now,
		.limit = 1,
	};
	char *text;

	add(&now, "server", "serve", 3);
	add(&now, "libc.so.6", "write", 1);
	profil_top_table_make(&table, &now, &none, &none);
	text = print(&page);
	CHECK(strstr(text, "server: 7 processes, 1.50 of "));
	CHECK(strstr(text, " CPUs, 25 % in the kernel  last 2.0 s, 1 kHz  "));
	CHECK(strstr(text, "\n  2.0 s    total  object  function\n"));
	CHECK(strstr(text, "\n 75.0 %   75.0 %  server  serve\n"));
	CHECK(!strstr(text, "write"));
	free(text);
	free_all(&table, &now, &none, &none);
	return true;
}

/* Place the selection in a table of the functions @names, the busiest first. */
static void place(struct selection *selection, const char *names, size_t shown)
{
	struct rows now = empty(), none = empty();
	struct top_table table;
	char name[2] = "";

	for (size_t i = 0; names[i]; i++) {
		name[0] = names[i];
		add(&now, "object", name, 100 - i);
	}
	profil_top_table_make(&table, &now, &none, &none);
	profil_selection_place(selection, &table, shown);
	free_all(&table, &now, &none, &none);
}

TEST("a selected row stays selected")
{
	struct selection selection = { 0 };

	place(&selection, "", 3);
	place(&selection, "abcdef", 3);
	CHECK_EQUAL(0, selection.index);
	place(&selection, "bacdef", 3);
	CHECK_EQUAL(0, selection.index);
	selection.step = 4;
	place(&selection, "abcdef", 3);
	CHECK_EQUAL(4, selection.index);
	CHECK_EQUAL(2, selection.first);
	place(&selection, "eabcdf", 3);
	CHECK_EQUAL(0, selection.index);
	CHECK_EQUAL(0, selection.first);
	place(&selection, "abcdfe", 3);
	CHECK_EQUAL(5, selection.index);
	CHECK_EQUAL(3, selection.first);
	profil_selection_reset(&selection);
	return true;
}

TEST("a selected row that is gone")
{
	struct selection selection = { .step = 1000 };

	place(&selection, "abcdef", 10);
	CHECK_EQUAL(5, selection.index);
	place(&selection, "abcd", 10);
	CHECK_EQUAL(3, selection.index);
	selection.step = -1000;
	place(&selection, "abcd", 10);
	CHECK_EQUAL(0, selection.index);
	place(&selection, "", 10);
	selection.step = 1;
	place(&selection, "xyz", 1);
	CHECK_EQUAL(1, selection.index);
	CHECK_EQUAL(1, selection.first);
	profil_selection_reset(&selection);
	return true;
}

static size_t clip(const char *line, size_t columns)
{
	return profil_clip(line, strlen(line), columns);
}

TEST("lines are cut to the columns of a terminal")
{
	CHECK_EQUAL(3, clip("abc", 3));
	CHECK_EQUAL(2, clip("abc", 2));
	CHECK_EQUAL(0, clip("abc", 0));
	CHECK_EQUAL(5 + 3 + 4, clip("\033[31mabc\033[0m", 3));
	CHECK_EQUAL(5 + 2, clip("\033[31mabc", 2));
	/* A column for ü, and two for a character of Chinese */
	CHECK_EQUAL(2, clip("\303\274x", 1));
	CHECK_EQUAL(3, clip("\344\270\255x", 2));
	CHECK_EQUAL(0, clip("\344\270\255x", 1));
	CHECK_EQUAL(1, clip("\377x", 1));
	return true;
}

static bool wraps(const char *text, size_t columns, const char *expected)
{
	char *wrapped;
	size_t size;
	FILE *out = profil_memory_stream(&wrapped, &size);
	bool is_equal;

	profil_wrap(out, text, columns);
	fclose(out);
	is_equal = !strcmp(wrapped, expected);
	free(wrapped);
	return is_equal;
}

TEST("sentences continue on the next line")
{
	CHECK(wraps("one two three\n", 7, "one two\nthree\n"));
	CHECK(wraps("one two three\n", 8, "one two\nthree\n"));
	CHECK(wraps("one two three\n", 13, "one two three\n"));
	CHECK(wraps("one two three\n", 0, "one two three\n"));
	CHECK(wraps("longer than\n", 3, "longer\nthan\n"));
	CHECK(wraps(" 1.0 two three\n", 5, " 1.0 two three\n"));
	CHECK(wraps("a\n\nb\n", 5, "a\n\nb\n"));
	return true;
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return tap_run();
}
