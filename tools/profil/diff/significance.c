// SPDX-License-Identifier: GPL-2.0-only
/* Significance: exact test of two rates, quasi-likelihood test, Holm's method */
#include <math.h>
#include <stdlib.h>

#include "diff/dispersion.h"
#include "diff/distribution.h"
#include "diff/significance.h"
#include "util/memory.h"

/* Term of a deviance */
static double term(double samples, double expected)
{
	return samples ? samples * log(samples / expected) : 0;
}

/*
 * Probability by the spread between runs: the deviance of the row from equal
 * rates, divided by the dispersion, is the square of a number that follows
 * Student's distribution.
 */
static double spread_test(const double *samples, double share,
			  const struct dispersion *dispersion)
{
	double total = samples[BEFORE] + samples[AFTER];
	double variance = fmax(1, dispersion->value);
	double deviance = 2 * (term(samples[BEFORE], total * (1 - share)) +
			       term(samples[AFTER], total * share));

	return profil_student_test(sqrt(fmax(0, deviance) / variance),
				   dispersion->freedom);
}

/* @share is the part of the samples that belong to AFTER without a change. */
static void test_row(const struct comparison *comparison, double share,
		     const struct dispersion *prior, struct change *row)
{
	struct dispersion dispersion;
	double samples[SIDES], total;

	dispersion = profil_dispersion_of(comparison, prior, row);
	for (enum change_side i = 0; i < SIDES; i++)
		samples[i] = row->samples[i];
	total = samples[BEFORE] + samples[AFTER];
	row->is_tested = !row->is_lost && total >= SIGNIFICANCE_SAMPLES;
	if (!row->is_tested)
		return;
	row->chance = profil_binomial_test(samples[AFTER], total, share);
	if (dispersion.freedom)
		row->chance = fmax(row->chance,
				   spread_test(samples, share, &dispersion));
}

static int by_chance(const void *a, const void *b)
{
	const struct change *const *one = a, *const *other = b;

	return ((*one)->chance > (*other)->chance) -
	       ((*one)->chance < (*other)->chance);
}

/* Holm's method: the rows of least chance first, until one is not sure */
static void correct(struct comparison *comparison, struct change **rows)
{
	qsort(rows, comparison->tested, sizeof(*rows), by_chance);
	for (size_t i = 0; i < comparison->tested; i++) {
		if (rows[i]->chance * (comparison->tested - i) > SIGNIFICANCE)
			return;
		rows[i]->is_sure = true;
		comparison->sure++;
	}
}

void profil_significance_judge(struct comparison *comparison)
{
	struct change **tested =
		profil_grow(NULL, comparison->nr_rows + 1, sizeof(*tested));
	struct dispersion prior = profil_dispersion_prior(comparison);
	double before = profil_comparison_exposure(comparison, BEFORE);
	double after = profil_comparison_exposure(comparison, AFTER);

	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		test_row(comparison, after / (before + after), &prior, row);
		if (row->is_tested)
			tested[comparison->tested++] = row;
	}
	correct(comparison, tested);
	free(tested);
}
