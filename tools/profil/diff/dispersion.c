// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dispersion, by the method of Lund, Nettleton, McCarthy and Smyth (2012):
 * Detecting differential expression in RNA-sequence data using quasi-likelihood
 * with shrunken dispersion estimates
 */
#include <math.h>

#include "diff/dispersion.h"
#include "diff/distribution.h"
#include "diff/spread.h"

/* Rows with fewer samples in a run, on average, say nothing about dispersion. */
#define FEW 5

/* Rows that are needed to say how much rows differ */
#define MIN_ROWS 3

static uint32_t runs_of(const struct comparison *comparison,
			enum change_side side)
{
	uint32_t runs = 0;

	for (uint32_t i = 0; i < comparison->nr_runs; i++)
		runs += comparison->runs[i].side == side;
	return runs;
}

/* Add Pearson's statistic of the runs of one side. */
static void add_side(const struct comparison *comparison, enum change_side side,
		     const struct change *row, struct dispersion *sum)
{
	if (!row->samples[side])
		return;
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		double mean = profil_spread_mean(comparison, row, i);

		if (comparison->runs[i].side == side)
			sum->value += pow(row->counts[i] - mean, 2) /
				      (mean * (1 + sum->spread * mean));
	}
	sum->freedom += runs_of(comparison, side) - 1;
}

/* Estimate from the row alone */
static struct dispersion of_row(const struct comparison *comparison,
				const struct change *row, double spread)
{
	struct dispersion sum = { .spread = spread };

	for (enum change_side side = 0; side < SIDES; side++)
		add_side(comparison, side, row, &sum);
	if (sum.freedom)
		sum.value /= sum.freedom;
	return sum;
}

/* The logarithm of the estimate is nearly normal. */
static bool is_usable(const struct comparison *comparison,
		      const struct change *row, const struct dispersion *own)
{
	double samples = 0;

	for (enum change_side side = 0; side < SIDES; side++)
		samples += row->samples[side];
	return !row->is_lost && own->value > 0 &&
	       own->freedom == comparison->nr_runs - SIDES &&
	       samples >= FEW * comparison->nr_runs;
}

/* Moments of the scaled F distribution that the dispersions of rows follow */
static void fit(struct dispersion *prior, size_t rows, double sum,
		double squares, double freedom)
{
	double mean = sum / rows;
	double excess = (squares - rows * mean * mean) / (rows - 1) -
			profil_trigamma(freedom / 2);
	double half;

	prior->value = exp(mean);
	prior->freedom = INFINITY;
	if (excess <= 0)
		return;
	half = profil_trigamma_inverse(excess);
	prior->freedom = 2 * half;
	prior->value *= exp(profil_digamma(half) - log(half));
}

/* Logarithm of the row's estimate, as far as the rows differ in it */
static double log_of(const struct dispersion *own)
{
	double half = own->freedom / 2;

	return log(own->value) - profil_digamma(half) + log(half);
}

struct dispersion profil_dispersion_prior(const struct comparison *comparison)
{
	struct dispersion prior = { 0 };
	double sum = 0, squares = 0;
	size_t rows = 0;

	if (comparison->nr_runs == SIDES)
		return prior;
	prior.spread = profil_spread_estimate(comparison);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		const struct change *row = &comparison->rows[i];
		struct dispersion own = of_row(comparison, row, prior.spread);

		if (!is_usable(comparison, row, &own))
			continue;
		rows++;
		sum += log_of(&own);
		squares += pow(log_of(&own), 2);
	}
	if (rows >= MIN_ROWS)
		fit(&prior, rows, sum, squares, comparison->nr_runs - SIDES);
	return prior;
}

/* The prior estimate counts as many observations as it has degrees. */
static void combine(struct dispersion *own, const struct dispersion *prior)
{
	double freedom = own->freedom + prior->freedom;

	if (isinf(prior->freedom))
		*own = *prior;
	else if (freedom)
		own->value = (own->value * own->freedom +
			      prior->value * prior->freedom) /
			     freedom;
	own->freedom = freedom;
}

struct dispersion profil_dispersion_of(const struct comparison *comparison,
				       const struct dispersion *prior,
				       const struct change *row)
{
	struct dispersion own = of_row(comparison, row, prior->spread);

	combine(&own, prior);
	own.value *= profil_spread_factor(comparison, row, prior->spread);
	return own;
}
