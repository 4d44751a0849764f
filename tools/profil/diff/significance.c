// SPDX-License-Identifier: GPL-2.0-only
/*
 * Significance: exact test of two rates, quasi-likelihood test, Holm's method
 *
 * Both tails of a distribution come from the regularized incomplete beta function
 * I_x(a, b): see NIST's Handbook of Mathematical Functions, 8.17.
 *
 * The spread is how much the time of a function differs between runs of one side,
 * beyond what sampling explains: a number of samples with the mean m has the
 * variance m + spread * m * m, and the root of the spread is a share of the time. It
 * is estimated by pseudo-likelihood: Davidian and Carroll (1987), Variance function
 * estimation.
 *
 * The dispersion is the variance of a row's samples, as a multiple of the variance
 * that sampling alone has. It is 1 if runs differ by chance of sampling only, and
 * larger if the program itself takes more time in one run than in another. With the
 * few runs that there are, the estimate of a single row is vague, so it is drawn
 * towards that of all rows, the more so the less the rows differ: Lund, Nettleton,
 * McCarthy and Smyth (2012), Detecting differential expression in RNA-sequence data
 * using quasi-likelihood with shrunken dispersion estimates.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "diff/comparison.h"
#include "util/memory.h"

/* A fraction is computed to this relative error. */
#define EPSILON (1 / 1e15)

/* Stands for 0 where a denominator must not be 0 */
#define TINY (1 / 1e300)

/* Terms of a continued fraction, which grow with the root of its parameters */
#define MAX_TERMS 10000000

/* Student's distribution with more degrees of freedom is the normal one. */
#define NORMAL 1e7

/* Coefficient of an even term, and of the odd term that follows */
static double even_term(double a, double b, double x, double m)
{
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

static double odd_term(double a, double b, double x, double m)
{
	return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

static double not_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* Continued fraction of I_x(a, b), by the method of Lentz */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 + odd_term(a, b, x, 0));
	double value = d;

	for (int m = 1; m < MAX_TERMS; m++) {
		double term = even_term(a, b, x, m);

		d = 1 / not_zero(1 + term * d);
		c = not_zero(1 + term / c);
		value *= c * d;
		term = odd_term(a, b, x, m);
		d = 1 / not_zero(1 + term * d);
		c = not_zero(1 + term / c);
		value *= c * d;
		if (fabs(c * d - 1) < EPSILON)
			break;
	}
	return value;
}

/* I_x(a, b); the fraction converges fast below the mean of the distribution. */
static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(a, b, x) / a;
	return 1 - front * fraction(b, a, 1 - x) / b;
}

/*
 * Two-sided probability of @hits or a number as unlikely, of @trials that each
 * hit with the probability @chance: twice the smaller tail of the binomial
 * distribution, 1 at most
 */
static double binomial_test(double hits, double trials, double chance)
{
	double most = 1, least = 1;

	if (hits < trials)
		most = incomplete_beta(trials - hits, hits + 1, 1 - chance);
	if (hits > 0)
		least = incomplete_beta(hits, trials - hits + 1, chance);
	return fmin(1, 2 * fmin(most, least));
}

/*
 * Two-sided probability of a value as far from 0 as @value in Student's
 * distribution with @freedom degrees of freedom, which may be INFINITY
 */
static double student_test(double value, double freedom)
{
	if (freedom > NORMAL)
		return erfc(fabs(value) / M_SQRT2);
	return incomplete_beta(freedom / 2, 0.5,
			       freedom / (freedom + value * value));
}

/* Recurrence up to 6, and the asymptotic series from there */
static double digamma(double x)
{
	double sum = 0, r;

	for (; x < 6; x++)
		sum -= 1 / x;
	r = 1 / (x * x);
	return sum + log(x) - 0.5 / x -
	       r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240)));
}

/* First and second derivative of the logarithm of the gamma function */
static double trigamma(double x)
{
	double sum = 0, r;

	for (; x < 6; x++)
		sum += 1 / (x * x);
	r = 1 / (x * x);
	return sum + (1 + 0.5 / x) / x +
	       r / x * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r / 30)));
}

/* The function falls, so bisection finds its inverse. */
static double trigamma_inverse(double value)
{
	double low = 1 / 1e9, high = 1e9;

	for (int i = 0; i < 200; i++) {
		double middle = sqrt(low * high);

		if (trigamma(middle) > value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

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

/* Samples of @row in @run that are expected from the sum of its side */
static double spread_mean(const struct comparison *comparison,
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

/* The spread that is common to all rows; 0 if sampling explains all of it */
static double estimate_spread(const struct comparison *comparison)
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

/*
 * Variance of the difference of @row between the sides, as a multiple of the
 * variance without @spread
 */
static double spread_factor(const struct comparison *comparison,
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

/* Rows with fewer samples in a run, on average, say nothing about dispersion. */
#define FEW 5

/* Rows that are needed to say how much rows differ */
#define MIN_ROWS 3

/**
 * struct dispersion - an estimate
 * @spread: spread between runs that all rows have in common
 * @value: the dispersion; that of all rows is relative to @spread
 * @freedom: degrees of freedom; 0 if it is not known
 */
struct dispersion {
	double spread;
	double value;
	double freedom;
};

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
		double mean = spread_mean(comparison, row, i);

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
			trigamma(freedom / 2);
	double half;

	prior->value = exp(mean);
	prior->freedom = INFINITY;
	if (excess <= 0)
		return;
	half = trigamma_inverse(excess);
	prior->freedom = 2 * half;
	prior->value *= exp(digamma(half) - log(half));
}

/* Logarithm of the row's estimate, as far as the rows differ in it */
static double log_of(const struct dispersion *own)
{
	double half = own->freedom / 2;

	return log(own->value) - digamma(half) + log(half);
}

/* Estimate of all rows: the prior distribution for a single one */
static struct dispersion dispersion_prior(const struct comparison *comparison)
{
	struct dispersion prior = { 0 };
	double sum = 0, squares = 0;
	size_t rows = 0;

	if (comparison->nr_runs == SIDES)
		return prior;
	prior.spread = estimate_spread(comparison);
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

/* Estimate for @row; freedom is 0 if each side has one run. */
static struct dispersion dispersion_of(const struct comparison *comparison,
				       const struct dispersion *prior,
				       const struct change *row)
{
	struct dispersion own = of_row(comparison, row, prior->spread);

	combine(&own, prior);
	own.value *= spread_factor(comparison, row, prior->spread);
	return own;
}

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

	return student_test(sqrt(fmax(0, deviance) / variance),
			    dispersion->freedom);
}

/* @share is the part of the samples that belong to AFTER without a change. */
static void test_row(const struct comparison *comparison, double share,
		     const struct dispersion *prior, struct change *row)
{
	struct dispersion dispersion;
	double samples[SIDES], total;

	dispersion = dispersion_of(comparison, prior, row);
	for (enum change_side i = 0; i < SIDES; i++)
		samples[i] = row->samples[i];
	total = samples[BEFORE] + samples[AFTER];
	row->is_tested = !row->is_lost && total >= SIGNIFICANCE_SAMPLES;
	if (!row->is_tested)
		return;
	row->chance = binomial_test(samples[AFTER], total, share);
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
	struct dispersion prior = dispersion_prior(comparison);
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
