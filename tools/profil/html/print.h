/* SPDX-License-Identifier: GPL-2.0-only */
/* Profile as a page */
#ifndef PROFIL_HTML_PRINT_H
#define PROFIL_HTML_PRINT_H

#include "profile/profile.h"

/*
 * Print @profile as one page that needs no other file. Source files are looked for
 * by annotate/source_text.c, @directory is NULL or the user's choice. Of very many
 * rows and very long names the page has the first.
 */
void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory);

/* print.c.html */
extern const char profil_html_template[];

#endif
