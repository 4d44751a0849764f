/* SPDX-License-Identifier: GPL-2.0-only */
/* Profile as a page */
#ifndef PROFIL_HTML_PRINT_H
#define PROFIL_HTML_PRINT_H

#include <stdio.h>

#include "profile/rows.h"

/* Rows of the table; the others are added up. */
#define HTML_ROWS 2000

/*
 * Print @profile as one page that needs no other file. Source files are looked for
 * by annotate/source_text.c, @directory is NULL or the user's choice. Of very many
 * rows and very long names the page has the first.
 */
void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory);

/* print.c.html */
extern const char profil_html_template[];

/* Copy of @text as printable UTF-8; the end of a long one is left out. */
char *profil_html_printable(const char *text);

/* Print such a copy as a string of JSON. */
void profil_html_string(FILE *out, const char *text);

/*
 * Print the source of the functions with the most samples: the index of the row, and
 * the files, with an array for each line: its number, its samples, its text, and the
 * code inlined in it, each with samples, name, file and line. The first is line 0, for
 * code without a line.
 */
void profil_html_sources(FILE *out, const struct profile *profile,
			 const struct rows *rows, const char *directory);

#endif
