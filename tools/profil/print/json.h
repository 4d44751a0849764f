/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_JSON_H
#define PROFIL_JSON_H

#include <stdio.h>

#include "profile/rows.h"
#include "profile/profile.h"

/*
 * Print @profile and its @rows as JSON, which profil(1) describes. The names of
 * the rows are UTF-8. Rows with a smaller share than @limit, in percent, and those
 * after the first @most are added up.
 */
void profil_json_print(FILE *out, const struct profile *profile,
		       const struct rows *rows, double limit, size_t most);

/* Print @text, which is UTF-8 without control characters, as a string. */
void profil_json_text(FILE *out, const char *text);

/* Print @text with its quotes; what is no UTF-8 is printed as \xNN. */
void profil_json_string(FILE *out, const char *text);

#endif
