// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spread between runs, by pseudo-likelihood: Davidian and Carroll (1987),
 * Variance function estimation
 */
#include <math.h>

#include "diff/spread.h"

/* A larger spread than this is not looked for. */
#define MAX_SPREAD 10

/* Steps of the search; each halves the interval. */
#define STEPS 60

static double mean_of(const struct comparison *comparison,
		      const struct change *row, const struct change_run *run)
{
	return row->samples[run->side] * run->exposure /
	       profil_comparison_exposure(comparison, run->side);
}

double profil_spread_mean(const struct comparison *comparison,
			  const struct change *row, uint32_t run)
{
	return mean_of(comparison, row, &comparison->runs[run]);
}

/* Part of the variance of a run that is left after its side's mean is known */
static double left(const struct comparison *comparison,
		   const struct change_run *run)
{
	return 1 - run->exposure /
			   profil_comparison_exposure(comparison, run->side);
}

/* Derivative of the pseudo-likelihood by the spread: above 0 if it is larger */
static double slope(const struct comparison *comparison, double spread)
{
	double sum = 0;

	for (size_t i = 0; i < comparison->nr_rows; i++) {
		const struct change *row = &comparison->rows[i];

		for (uint32_t k = 0; k < comparison->nr_runs; k++) {
			const struct change_run *run = &comparison->runs[k];
			double mean = mean_of(comparison, row, run);
			double factor = 1 + spread * mean;
			double square = pow(row->counts[k] - mean, 2);

			if (mean && !row->is_lost)
				sum += (square / (mean * factor) -
					left(comparison, run)) *
				       mean / factor;
		}
	}
	return sum;
}

double profil_spread_estimate(const struct comparison *comparison)
{
	double low = 0, high = MAX_SPREAD;

	if (slope(comparison, 0) <= 0)
		return 0;
	for (int i = 0; i < STEPS; i++) {
		double middle = (low + high) / 2;

		if (slope(comparison, middle) > 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double profil_spread_factor(const struct comparison *comparison,
			    const struct change *row, double spread)
{
	double exposure[SIDES], samples = 0, plain = 0, wide = 0, rate;

	for (enum change_side side = 0; side < SIDES; side++) {
		exposure[side] = profil_comparison_exposure(comparison, side);
		samples += row->samples[side];
	}
	rate = samples / (exposure[BEFORE] + exposure[AFTER]);
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		const struct change_run *run = &comparison->runs[i];
		double mean = rate * run->exposure;
		double weight = 1 / exposure[run->side];

		plain += mean * weight * weight;
		wide += mean * (1 + spread * mean) * weight * weight;
	}
	return plain ? wide / plain : 1;
}
