/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison as a page */
#ifndef PROFIL_DIFF_PAGE_H
#define PROFIL_DIFF_PAGE_H

#include "util/base.h"

struct comparison;

/*
 * Print @comparison, whose rows are judged, as a page that needs no other file: the rows of
 * the table and, where all recordings have callers, the calls of all. @operands: the names
 * of both sides
 */
void profil_diff_page_print(FILE *out, const struct comparison *comparison,
			    double limit, const char *const *operands);

#endif
