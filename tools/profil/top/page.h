/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of `profil top` */
#ifndef PROFIL_PAGE_H
#define PROFIL_PAGE_H

#include "top/table.h"

struct screen;

/*
 * What a page is made of
 * @screen: the terminal; with keys they are explained, and a row is selected
 * @head: head of the profile since the last refresh
 * @limit: most rows; 0 for no limit
 * @message: a sentence for the last line, or ""
 */
struct top_page {
	const struct screen *screen;
	const struct profile_head *head;
	const struct top_table *table;
	const struct selection *selection;
	size_t limit;
	bool is_paused;
	const char *message;
};

/* Lines of a page beside its rows */
#define TOP_PAGE_LINES 3

/* Print the last line: @message or, if that is "", the @keys. */
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
