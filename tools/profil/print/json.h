/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile as JSON */
#ifndef PROFIL_PRINT_JSON_H
#define PROFIL_PRINT_JSON_H

#include "profile/rows.h"

/*
 * Print @profile and its @rows as JSON, which profil(1) describes. The names of
 * the rows are UTF-8. Rows with a smaller share than @limit, in percent, and those
 * after the first @most are added up.
 */
void profil_json_print(FILE *out, const struct profile *profile,
		       const struct rows *rows, double limit, size_t most);

/* Print @text with its quotes; what is no UTF-8, or not printable, as \xNN. */
void profil_json_string(FILE *out, const char *text);

#endif
