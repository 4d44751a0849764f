/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rows of a comparison have changed */
#ifndef PROFIL_SIGNIFICANCE_H
#define PROFIL_SIGNIFICANCE_H

#include "util/base.h"

struct comparison;
struct measure;

/* Probability of one sure row or more in a comparison without a change */
#define SIGNIFICANCE 0.01

/* A row with fewer samples in all runs together is not tested. */
#define SIGNIFICANCE_SAMPLES 10

/*
 * Test the samples of each row, and its total, and set their results, and the numbers of
 * tested and of sure rows.
 *
 * Without a change, the samples after it are a binomial number of those of both
 * sides. Where a side has several runs, a difference has to be sure by the
 * spread between them, too. The probabilities are corrected by Holm's method.
 */
void profil_significance_judge(struct comparison *comparison);

/* The same for @nr @measures, whose order is lost, after the rows */
void profil_significance_test(const struct comparison *comparison,
			      struct measure **measures, size_t nr);

#endif
