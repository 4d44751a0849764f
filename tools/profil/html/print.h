/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_PRINT_H
#define PROFIL_HTML_PRINT_H

#include <stdio.h>

#include "profile/profile.h"

/*
 * Print @profile, which is sorted, as one page that needs no other file. Source
 * files are looked for by annotate/source_text.h, @directory is NULL or the user's
 * choice. A page with very many rows, source lines or long names has the first
 * of them, so its size has a limit.
 */
void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory);

#endif
