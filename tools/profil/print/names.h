/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of names at the end of the lines of a table */
#ifndef PROFIL_NAMES_H
#define PROFIL_NAMES_H

#include <stddef.h>
#include <stdio.h>

#include "profile/rows.h"

/**
 * struct name_columns - the columns
 * @nr: number of columns
 * @widths: characters of each
 * @before: characters of a line before them
 * @line: characters of a line of the terminal; 0 for no limit
 */
struct name_columns {
	int nr;
	size_t widths[ROW_NAMES];
	size_t before;
	size_t line;
};

/* Columns for the headings of @rows */
struct name_columns profil_names_begin(const struct rows *rows, size_t before,
				       size_t line);

/* Widen the columns for @names; a very long one moves the columns behind it. */
void profil_names_widen(struct name_columns *columns, char *const *names);

/*
 * Print @names. The last one is cut to the end of the line, of which @after
 * characters are for what follows; if there are none, it is not padded.
 */
void profil_names_print(FILE *out, const struct name_columns *columns,
			char *const *names, size_t after);

#endif
