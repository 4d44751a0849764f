/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of `profil top` */
#ifndef PROFIL_TOP_PAGE_H
#define PROFIL_TOP_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "top/table.h"

/**
 * struct top_page - what a page is made of
 * @now: head of the profile
 * @before: head of the profile at the last refresh
 * @processes: processes that run
 * @table: the rows
 * @rows: rows that were read last, for the headings
 * @first: index of the first row
 * @limit: most rows; 0 for no limit
 * @selected: index of the selected row
 * @columns: characters of a line; 0 for no limit
 * @is_paused: the page stays
 * @has_keys: the keys are explained, and a row is selected
 * @message: a sentence for the last line, or NULL
 */
struct top_page {
	const struct profile_head *now;
	const struct profile_head *before;
	size_t processes;
	const struct top_table *table;
	const struct rows *rows;
	size_t first;
	size_t limit;
	size_t selected;
	size_t columns;
	bool is_paused;
	bool has_keys;
	const char *message;
};

/* Lines of a page beside its rows */
#define TOP_PAGE_LINES 3

/* Print the last line: @message or, if that is NULL, the @keys. */
void profil_top_page_print_keys(FILE *out, const char *message,
				const char *keys, bool is_paused);

/* Print @page to @out. */
void profil_top_page_print(FILE *out, const struct top_page *page);

/*
 * Bytes of the @length bytes of @line that fit in @columns of a terminal. Colours,
 * control sequences that end with m, take no column.
 */
size_t profil_clip(const char *line, size_t length, size_t columns);

/*
 * Print @text, whose lines end with a newline. A sentence that does not fit in @columns,
 * 0 for no limit, continues on further lines; rows of a table, which begin with a
 * space, a number or a colour, do not.
 */
void profil_wrap(FILE *out, const char *text, size_t columns);

#endif
