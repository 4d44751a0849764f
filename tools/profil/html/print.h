/* SPDX-License-Identifier: GPL-2.0-only */
/* Profile as a page, and what other pages have of it */
#ifndef PROFIL_HTML_PRINT_H
#define PROFIL_HTML_PRINT_H

#include "print/view.h"

/*
 * Print @profile as one page that needs no other file. Source files are looked for
 * by annotate/source_text.c, @directory is NULL or the user's choice. Of very many
 * rows and very long names the page has the first.
 */
void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory);

/* Print the view @name of the page: heads of numbers with their titles, heads of names, rows. */
void profil_html_print_view(FILE *out, const char *name,
			    const struct view *view);

/* Print the short names of the first @nr functions of @view. */
void profil_html_print_names(FILE *out, struct view *view, size_t nr);

/* Print the page whose data is @json. */
void profil_html_print_page(FILE *out, const char *json);

/* print.c.html */
extern const char profil_html_template[];

#endif
