/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison as JSON */
#ifndef PROFIL_DIFF_JSON_H
#define PROFIL_DIFF_JSON_H

#include "util/base.h"

struct comparison;

/*
 * Print @comparison as JSON, which profil-diff(1) describes. Rows that are not sure are
 * left out if their difference is less than @limit percent of the CPU time.
 */
void profil_diff_json_print(FILE *out, const struct comparison *comparison,
			    double limit);

#endif
