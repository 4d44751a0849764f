/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison as a table */
#ifndef PROFIL_DIFF_TABLE_H
#define PROFIL_DIFF_TABLE_H

#include "util/base.h"

struct change;
struct comparison;

/* What @limit percent of the CPU time are as an amount */
double profil_change_least(const struct comparison *comparison, double limit);

/* @row is not sure, and has changed by less than @least. */
bool profil_change_is_small(const struct change *row, double least);

/*
 * Print @comparison as a table. Rows that are not sure are added up in one line
 * if their difference is less than @limit percent of the CPU time.
 */
void profil_diff_table_print(FILE *out, const struct comparison *comparison,
			     double limit);

/* Print the same rows as the functions of a page. */
void profil_diff_table_print_view(FILE *out,
				  const struct comparison *comparison,
				  double limit);

/*
 * Set @notes, of DIFF_NOTES, to sentences on the recordings, which begin with "note: ".
 * Their number
 */
#define DIFF_NOTES 2
size_t profil_diff_notes(const struct comparison *comparison,
			 const char **notes);

#endif
