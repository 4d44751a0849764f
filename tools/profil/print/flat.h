/* SPDX-License-Identifier: GPL-2.0-only */
/* The flat profile: the time in each function itself */
#ifndef PROFIL_PRINT_FLAT_H
#define PROFIL_PRINT_FLAT_H

#include "profile/rows.h"

/* Upper limit of the rows that are shown, unless each has 5 % of the samples */
#define FLAT_ROWS 40

/*
 * Rows with a smaller share, in percent, are added up in one line: the first of these
 * limits that leaves few rows, or the last one before 0
 */
extern const double profil_flat_limits[];

/*
 * A few rows of the user's own functions are shown for their totals, however few samples
 * are in the functions themselves: those with the largest total, in percent, up to
 * HIGH_MOST. A function with more tells nothing, as main() does
 */
#define HIGH_ROWS 5
#define HIGH_LEAST 10
#define HIGH_MOST 95

/*
 * Form of a flat profile: with all rows, or those with a share of @limit, in percent, or
 * more, 0: chosen by the number of rows. @by_total: the share of a row is that of its total.
 * @samples: show the columns of samples and seconds
 */
struct flat {
	bool all;
	double limit;
	bool by_total;
	bool samples;
};

/*
 * Print the flat profile: a head and a line for each of the sorted @rows: the share with
 * its standard error, seconds, samples and names. Rows of prof(1), which all are printed,
 * have the columns of that: share, cumulative and own seconds, calls, time of a call, and
 * names. On a terminal, a long name in the last column is cut to the end of the line.
 */
void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct rows *rows);

/* Text in place of names for what is left out of @rows, to be freed */
char *profil_flat_left_out(const struct rows *rows);

#endif
