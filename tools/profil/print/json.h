/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile as JSON */
#ifndef PROFIL_PRINT_JSON_H
#define PROFIL_PRINT_JSON_H

#include "print/call_tree.h"

/*
 * Print @profile and its @rows as JSON, which profil(1) describes. The names of
 * the rows are UTF-8. Rows with a smaller share than @limit, in percent, are added up.
 */
void profil_json_print(FILE *out, const struct profile *profile,
		       const struct rows *rows, double limit);

/*
 * Print @calls as JSON, which profil(1) describes: the tree of all, or the callers and
 * callees of the function @name. Names are UTF-8.
 */
void profil_json_print_tree(FILE *out, const struct call_tree *calls,
			    const struct flat *flat);
void profil_json_print_function(FILE *out, const struct call_tree *calls,
				uint32_t name, const struct flat *flat);

/* Print what is before the other members of a profile as JSON, and what is behind them. */
void profil_json_begin(FILE *out, const struct profile *profile);
void profil_json_end(FILE *out, double left_out);

/* Print the members of that about the recording, each with a comma behind it. */
void profil_json_print_head(FILE *out, const struct profile *profile);

/* Print @text with its quotes; what is no UTF-8, or not printable, as \xNN. */
void profil_json_string(FILE *out, const char *text);

/* A copy of @text as printable UTF-8, of which the end of a long one is left out */
char *profil_json_cut(const char *text);

/* Print such a copy as profil_json_string() does. */
void profil_json_string_cut(FILE *out, const char *text);

#endif
