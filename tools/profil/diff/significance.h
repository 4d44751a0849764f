/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rows of a comparison have changed */
#ifndef PROFIL_SIGNIFICANCE_H
#define PROFIL_SIGNIFICANCE_H

struct comparison;

/* Probability of one sure row or more in a comparison without a change */
#define SIGNIFICANCE 0.01

/* A row with fewer samples in all runs together is not tested. */
#define SIGNIFICANCE_SAMPLES 10

/*
 * Test each row, and set is_tested, chance, is_sure, and the numbers of tested
 * and of sure rows.
 *
 * Without a change, the samples after it are a binomial number of those of both
 * sides. Where a side has several runs, a difference has to be sure by the
 * spread between them, too. The probabilities are corrected by Holm's method.
 */
void profil_significance_judge(struct comparison *comparison);

#endif
