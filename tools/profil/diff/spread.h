/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Spread: how much the time of a function differs between runs of one side,
 * beyond what sampling explains
 *
 * A number of samples with the mean m has the variance m + spread * m * m: the
 * root of the spread is a share of the time.
 */
#ifndef PROFIL_SPREAD_H
#define PROFIL_SPREAD_H

#include "diff/comparison.h"

/* The spread that is common to all rows; 0 if sampling explains all of it */
double profil_spread_estimate(const struct comparison *comparison);

/* Samples of @row in @run that are expected from the sum of its side */
double profil_spread_mean(const struct comparison *comparison,
			  const struct change *row, uint32_t run);

/*
 * Variance of the difference of @row between the sides, as a multiple of the
 * variance without @spread
 */
double profil_spread_factor(const struct comparison *comparison,
			    const struct change *row, double spread);

#endif
