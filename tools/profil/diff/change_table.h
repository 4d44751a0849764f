/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CHANGE_TABLE_H
#define PROFIL_CHANGE_TABLE_H

#include <stdio.h>

#include "diff/comparison.h"

/*
 * Print @comparison as a table. Rows that are not sure are added up in one line
 * if their difference is less than @limit percent of the CPU time.
 */
void profil_change_table_print(FILE *out, const struct comparison *comparison,
			       double limit);

#endif
