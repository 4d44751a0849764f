/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FLAT_H
#define PROFIL_FLAT_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/rows.h"

/* Upper limit of the rows that are shown, unless each has 5 % of the samples */
#define FLAT_ROWS 40

/**
 * enum flat_layout - columns of a flat profile
 * @FLAT_RUN: share with its standard error, seconds, samples, names
 * @FLAT_REPORT: as of prof(1): share, cumulative and own seconds, calls, time
 *	of a call, names
 */
enum flat_layout { FLAT_RUN, FLAT_REPORT };

/**
 * struct flat - form of a flat profile
 * @layout: the columns
 * @all: show rows with a small share, too
 * @limit: rows with a smaller share, in percent, are added up in one line; 0:
 *	chosen by the number of rows
 * @samples: show the column of samples
 */
struct flat {
	enum flat_layout layout;
	bool all;
	double limit;
	bool samples;
};

/*
 * Print the flat profile: a head and a line for each of the sorted @rows. On a
 * terminal, a long name in the last column is cut to the end of the line.
 */
void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct rows *rows);

#endif
