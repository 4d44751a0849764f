/* SPDX-License-Identifier: GPL-2.0-only */
/* Source of the hot functions of a page, with the samples of each line */
#ifndef PROFIL_HTML_SOURCES_H
#define PROFIL_HTML_SOURCES_H

#include "profile/rows.h"

/*
 * Print the source of the functions with the most samples: the index of the row, its
 * samples, and the files, with an array for each line: its number, its samples, its
 * text, and the code inlined in it, each with samples, name, file and line. The first is
 * line 0, for code without a line.
 */
void profil_html_print_sources(FILE *out, const struct profile *profile,
			       const struct rows *rows, const char *directory);

#endif
