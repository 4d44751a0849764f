// SPDX-License-Identifier: GPL-2.0-only
/*
 * Significance: exact test of two rates, quasi-likelihood test, Holm's method
 *
 * Both tails of a distribution come from the regularized incomplete beta function
 * I_x(a, b): see NIST's Handbook of Mathematical Functions, 8.17.
 *
 * Runs of one side differ by more than sampling explains: a number of samples with
 * the mean m has the variance dispersion * (m + spread * m * m). The spread is that of
 * all rows, and its root is a share of the time. The dispersion is that of one row. The
 * few runs say little about a single row, so that a dispersion of 1 is taken for
 * observed, too, with a fixed weight: Robinson, McCarthy and Smyth (2010), edgeR.
 */
#include <math.h>

#include "diff/comparison.h"
#include "diff/significance.h"

/* A fraction is computed to this relative error. */
#define EPSILON (1 / 1e15)

/* Stands for 0 where a denominator must not be 0 */
#define TINY (1 / 1e300)

/* Terms of a continued fraction, which grow with the root of its parameters */
#define MAX_TERMS 10000000

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

	for (int i = 2; i < 2 * MAX_TERMS; i++) {
		bool is_odd = i % 2;
		double term = is_odd ? odd_term(a, b, x, i / 2) :
				       even_term(a, b, x, i / 2);

		d = 1 / not_zero(1 + term * d);
		c = not_zero(1 + term / c);
		value *= c * d;
		if (is_odd && fabs(c * d - 1) < EPSILON)
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
 * distribution with @freedom degrees of freedom
 */
static double student_test(double value, double freedom)
{
	return incomplete_beta(freedom / 2, 0.5,
			       freedom / (freedom + value * value));
}

/* Rounds of the estimate of the spread; each has the weights of the last. */
#define ROUNDS 5

/* Degrees of freedom that a dispersion of 1 counts for */
#define PRIOR_FREEDOM 20

/* Samples of @row in @run that are expected from the sum of its side */
static double mean_of(const struct comparison *comparison,
		      const struct measure *row, const struct change_run *run)
{
	return row->samples[run->side] * run->exposure /
	       comparison->exposure[run->side];
}

/* Part of the variance of a run that is left after its side's mean is known */
static double left(const struct comparison *comparison,
		   const struct change_run *run)
{
	return 1 - run->exposure / comparison->exposure[run->side];
}

/* Sums of @row for the spread, by the weights of @spread */
static void add_squares(const struct comparison *comparison,
			const struct measure *row, double spread,
			double *excess, double *scale)
{
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		const struct change_run *run = &comparison->runs[i];
		double mean = mean_of(comparison, row, run);
		double weight = 1 / pow(1 + spread * mean, 2);
		double expected = left(comparison, run);

		*excess += weight *
			   (pow(row->counts[i] - mean, 2) - expected * mean);
		*scale += weight * expected * mean * mean;
	}
}

/* The spread by the method of moments; 0 if sampling explains all of it */
static double estimate_spread(const struct comparison *comparison)
{
	double spread = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double excess = 0, scale = 0;

		for (size_t i = 0; i < comparison->nr_rows; i++)
			if (!comparison->rows[i].is_lost)
				add_squares(comparison,
					    &comparison->rows[i].self, spread,
					    &excess, &scale);
		spread = excess > 0 && scale > 0 ? excess / scale : 0;
	}
	return spread;
}

/* Pearson's statistic of @row in relation to @spread, and its degrees of freedom */
static double pearson(const struct comparison *comparison,
		      const struct measure *row, double spread, double *freedom)
{
	double sum = 0;

	*freedom = 0;
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		const struct change_run *run = &comparison->runs[i];
		double mean = mean_of(comparison, row, run);

		if (!mean)
			continue;
		sum += pow(row->counts[i] - mean, 2) /
		       (mean * (1 + spread * mean));
		*freedom += left(comparison, run);
	}
	return sum;
}

/*
 * Variance of the difference of @row between the sides, as a multiple of the
 * variance without @spread
 */
static double spread_factor(const struct comparison *comparison,
			    const struct measure *row, double spread)
{
	const double *exposure = comparison->exposure;
	double rate = (row->samples[BEFORE] + row->samples[AFTER]) /
		      (exposure[BEFORE] + exposure[AFTER]);
	double plain = 0, wide = 0;

	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		const struct change_run *run = &comparison->runs[i];
		double mean = rate * run->exposure;
		double weight = 1 / pow(exposure[run->side], 2);

		plain += mean * weight;
		wide += mean * (1 + spread * mean) * weight;
	}
	return wide / plain;
}

/* Term of a deviance */
static double term(double samples, double expected)
{
	return samples ? samples * log(samples / expected) : 0;
}

/* Variance of @row, at least 1, as a multiple of that of sampling, and degrees of freedom */
static double dispersion(const struct comparison *comparison,
			 const struct measure *row, double *freedom)
{
	double spread = comparison->spread;
	double variance = pearson(comparison, row, spread, freedom);

	*freedom += PRIOR_FREEDOM;
	variance = (variance + PRIOR_FREEDOM) / *freedom *
		   spread_factor(comparison, row, spread);
	return fmax(1, variance);
}

/*
 * Probability by the spread between runs: the deviance of the row from equal
 * rates, divided by its variance as a multiple of that of sampling, is the square
 * of a number that follows Student's distribution.
 */
static double spread_test(const struct comparison *comparison,
			  const struct measure *row, double share)
{
	const double *samples = row->samples;
	double total = samples[BEFORE] + samples[AFTER];
	double deviance = 2 * (term(samples[BEFORE], total * (1 - share)) +
			       term(samples[AFTER], total * share));
	double freedom, variance = dispersion(comparison, row, &freedom);

	return student_test(sqrt(fmax(0, deviance) / variance), freedom);
}

/* Of a Poisson number as share_error() has it of a binomial one, for any number of runs */
static double error_of(const struct comparison *comparison,
		       const struct measure *row)
{
	double variance = 0, freedom;

	for (enum change_side side = 0; side < SIDES; side++)
		variance += (row->samples[side] + 0.25) /
			    pow(comparison->exposure[side], 2);
	if (comparison->nr_runs > SIDES &&
	    row->samples[BEFORE] + row->samples[AFTER])
		variance *= dispersion(comparison, row, &freedom);
	return sqrt(variance);
}

static void test(const struct comparison *comparison, struct measure *row)
{
	const double *exposure = comparison->exposure;
	double total = row->samples[BEFORE] + row->samples[AFTER];
	double share = exposure[AFTER] / (exposure[BEFORE] + exposure[AFTER]);

	row->error = error_of(comparison, row);
	row->is_tested = total >= SIGNIFICANCE_SAMPLES;
	if (!row->is_tested)
		return;
	row->chance = binomial_test(row->samples[AFTER], total, share);
	if (comparison->nr_runs > SIDES)
		row->chance =
			fmax(row->chance, spread_test(comparison, row, share));
}

static int by_chance(const void *a, const void *b)
{
	const struct measure *const *one = a, *const *other = b;

	return compare_reals((*one)->chance, (*other)->chance);
}

/* Holm's method: those of least chance first, until one is not sure */
static void correct(struct measure **tested, size_t nr)
{
	ARRAY_SORT(tested, nr, by_chance);
	for (size_t i = 0; i < nr; i++) {
		if (tested[i]->chance * (nr - i) > SIGNIFICANCE)
			return;
		tested[i]->is_sure = true;
	}
}

void profil_significance_test(const struct comparison *comparison,
			      struct measure **measures, size_t nr)
{
	size_t tested = 0;

	for (size_t i = 0; i < nr; i++) {
		test(comparison, measures[i]);
		if (measures[i]->is_tested)
			measures[tested++] = measures[i];
	}
	correct(measures, tested);
}

/* A total that is the samples of the function itself is no second number. */
static bool is_same(const struct change *row)
{
	for (uint32_t i = 0; i < row->self.nr_counts; i++)
		if (row->self.counts[i] != row->total.counts[i])
			return false;
	return true;
}

static void copy_result(struct measure *to, const struct measure *from)
{
	to->error = from->error;
	to->is_tested = from->is_tested;
	to->chance = from->chance;
	to->is_sure = from->is_sure;
}

static void count(struct comparison *comparison, struct change *row)
{
	if (row->has_total && !row->is_lost && is_same(row))
		copy_result(&row->total, &row->self);
	row->sides[BEFORE].error = row->total.error;
	comparison->tested += row->self.is_tested || row->total.is_tested;
	comparison->sure += row->self.is_sure || row->total.is_sure;
}

void profil_significance_judge(struct comparison *comparison)
{
	struct measure **measures =
		profil_grow(NULL, 2 * comparison->nr_rows + 1, sizeof(void *));
	size_t nr = 0;

	comparison->spread = estimate_spread(comparison);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		if (row->is_lost)
			continue;
		measures[nr++] = &row->self;
		if (row->has_total && !is_same(row))
			measures[nr++] = &row->total;
	}
	profil_significance_test(comparison, measures, nr);
	free(measures);
	for (size_t i = 0; i < comparison->nr_rows; i++)
		count(comparison, &comparison->rows[i]);
}
