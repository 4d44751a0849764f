/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of `profil top`: the terminal, the rows, a page of them, and a function */
#ifndef PROFIL_TOP_H
#define PROFIL_TOP_H

#include <termios.h>

#include "profile/rows.h"

/* The whole of a terminal, with keys; or plain text where there is none */

/*
 * A terminal
 * @is_full: stdout is a terminal, and pages replace each other
 * @lines: lines of a page; 0 for no limit
 * @columns: columns of a page; 0 for no limit
 * @pending: character that was read behind an Escape, for the next key, or 0
 * @before: state of stdin before
 */
struct screen {
	bool is_full;
	bool has_keys;
	size_t lines;
	size_t columns;
	char pending;
	struct termios before;
};

/* Take the terminal, if stdout is one; with @keys also the keys of stdin. */
void profil_screen_begin(struct screen *screen, bool keys);
void profil_screen_end(struct screen *screen);

/* Set the size for the next page. */
void profil_screen_measure(struct screen *screen);

/* The terminal has another size now. */
bool profil_screen_is_resized(const struct screen *screen);

/*
 * Print @page, of any number of lines, in place of the last one. What does not fit on
 * the terminal is left out.
 */
void profil_screen_show(const struct screen *screen, const char *page);

/* A key that has no character; KEY_NONE: no key was pressed */
enum key {
	KEY_NONE,
	KEY_ENTER = 256,
	KEY_ESCAPE,
	KEY_UP,
	KEY_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_OTHER,
};

/*
 * The next key that was pressed: a character or one of enum key; KEY_NONE where no keys
 * are read, too
 */
int profil_screen_key(struct screen *screen);

/*
 * Rows of an interval and of all time, side by side, of which one is selected
 *
 * The first row is selected at first. After a key, the row of these names is: it
 * stays selected where it moves in the table.
 */

/* The sides of a view of them */
enum top_side { INTERVAL, TOTAL, TOP_SIDES };

/**
 * struct top_row - rows of one name
 * @names: names, as of struct row; they belong to the rows that were joined
 * @sides: numbers since the last refresh, and since the beginning, or since all was set
 *	to zero
 * @is_last: as of struct row
 * @hottest: as of struct row, of those since the beginning of the recording
 */
struct top_row {
	char *const *names;
	struct row sides[TOP_SIDES];
	bool is_last;
	const struct profile_place *hottest;
};

/* All rows, the busiest first, and the rows of each side */
struct top_table {
	struct top_row *array;
	size_t nr;
	const struct rows *sides[TOP_SIDES];
};

/*
 * Join @all rows with those since all was set to zero, @total, and those of the last
 * @interval. They have the same keys; @all has each name, and all remain while @table
 * is used.
 */
void profil_top_table_make(struct top_table *table, const struct rows *all,
			   const struct rows *total,
			   const struct rows *interval);
void profil_top_table_free(struct top_table *table);

/**
 * struct selection - the selected row; all 0 at first
 * @names: its names, of its own, after it was selected by a key
 * @index: index in the table
 * @first: index of the first row that is shown
 * @step: rows to move by; negative is up
 */
struct selection {
	char *names[ROW_NAMES];
	size_t index;
	size_t first;
	long step;
};

/*
 * Find the row in @table, move by @selection->step, and let the row be among the
 * @shown rows from @selection->first on.
 */
void profil_selection_place(struct selection *selection,
			    const struct top_table *table, size_t shown);

/* Select the first row again, also to free the names. */
void profil_selection_reset(struct selection *selection);

/* A page of `profil top` */

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

/*
 * An annotated function on the screen, in place of the table
 *
 * Each profile has functions of its own, so the function is known by its object and
 * its name.
 */

/*
 * An annotated function, by its name and its object
 * @source: directory with the source files, or NULL
 * @columns: of the screen; 0 for no limit
 * @text: heading and lines, or a sentence
 * @first: index of the first line below the heading that is shown
 */
struct top_function {
	const char *source;
	bool is_open;
	enum profile_kind kind;
	char *path;
	char *name;
	bool all;
	size_t columns;
	char *text;
	size_t first;
};

/* Show the function of @place, which has one, on a screen of @columns. */
void profil_top_function_open(struct top_function *shown,
			      const struct profile *profile,
			      const struct profile_place *place,
			      size_t columns);
void profil_top_function_close(struct top_function *shown);

/* Make the text of a function that is open from @profile. */
void profil_top_function_read(struct top_function *shown,
			      const struct profile *profile);

/* Show @lines further lines, or earlier ones if negative. */
void profil_top_function_scroll(struct top_function *shown, long lines);

/* Print the heading, and as many of the lines as fit in @lines with the heading. */
void profil_top_function_print(FILE *out, struct top_function *shown,
			       size_t lines);

#endif
