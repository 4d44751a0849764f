/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of numbers that a view of rows may have */
#ifndef PROFIL_PRINT_COLUMNS_H
#define PROFIL_PRINT_COLUMNS_H

#include "profile/rows.h"

/*
 * Views: the table of a recording; that with the option -n; that of prof(1); `profil top`;
 * `profil diff` of seconds and of shares; JSON; functions and programs of the page; the
 * tree of calls; the callers and callees of a function; the same by numbers of calls; and
 * JSON of nodes, and of those of a function
 */
enum view_kind {
	IN_TABLE = 1 << 0,
	IN_SAMPLES = 1 << 1,
	IN_PROF = 1 << 2,
	IN_TOP = 1 << 3,
	IN_DIFF = 1 << 4,
	IN_SHARES = 1 << 5,
	IN_JSON = 1 << 6,
	IN_PAGE = 1 << 7,
	IN_PROGRAMS = 1 << 8,
	IN_TREE = 1 << 9,
	IN_CALLERS = 1 << 10,
	IN_CALLS = 1 << 11,
	IN_NODES = 1 << 12,
	IN_CALLERS_NODES = 1 << 13,
};

/* The sides whose rows are beside each other; the third shows the second less the first. */
enum { FIRST_SIDE, SECOND_SIDE, CHANGE, VIEW_SIDES };

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW_SAMPLES 5

/**
 * struct column - a column of numbers
 * @in: views that have the column, of enum view_kind
 * @head: its head; NULL: that of the side of a view
 * @ascii: the same where the locale has no UTF-8; NULL: @head
 * @width: characters of a column of text, with the space before it
 * @digits: behind the point
 * @unit: text behind the number, or NULL
 * @value: the number of @row, which is one of @rows; NAN if it has none
 * @member: name in JSON
 * @member_digits: behind the point in JSON
 * @title: an explanation for the page, or NULL
 * @is_optional: text has no such column if no row has a number
 * @sides: sides of a view that have the column, by bits; 0: all
 * @number: offset of the number in struct row, if @value is NULL
 */
struct column {
	unsigned int in;
	const char *head;
	const char *ascii;
	int width;
	int digits;
	const char *unit;
	double (*value)(const struct rows *rows, const struct row *row);
	const char *member;
	int member_digits;
	const char *title;
	bool is_optional;
	unsigned int sides;
	size_t number;
};

/* All columns, in the order of each view; the last one is in no view. */
extern const struct column profil_columns[];

/* The share of @samples in all samples of @rows, in percent */
static inline double profil_percent(const struct rows *rows, double samples)
{
	return rows->total ? 100 * (samples / rows->total) : 0;
}

#endif
