// SPDX-License-Identifier: GPL-2.0-only
/* Pages of `profil top`, made of written rows */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "top/page.h"
#include "top/table.h"
#include "util/memory.h"

static void add(struct rows *rows, const char *object, const char *function,
		double samples)
{
	struct row *row = profil_rows_add(rows);

	row->names[0] = profil_copy_string(object);
	row->names[1] = profil_copy_string(function);
	row->samples = samples;
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

static bool compares_moments(void)
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

static bool adds_up_names(void)
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

static bool is_empty_at_first(void)
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

static bool prints_a_page(void)
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
	struct top_page page = { &head, &first, 7, &table, &now, .limit = 1 };
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

static const struct tap_test tests[] = {
	{ "shares of the last interval and of all time", compares_moments },
	{ "functions of one name are one row", adds_up_names },
	{ "no rows at first", is_empty_at_first },
	{ "the lines of a page", prints_a_page },
};

int main(void)
{
	return tap_run(tests, sizeof(tests) / sizeof(*tests));
}
