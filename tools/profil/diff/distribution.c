// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distributions
 *
 * Both tails come from the regularized incomplete beta function I_x(a, b): see
 * NIST's Handbook of Mathematical Functions, 8.17.
 */
#include <math.h>
#include <stdbool.h>

#include "diff/distribution.h"

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

double profil_binomial_test(double hits, double trials, double chance)
{
	double most = 1, least = 1;

	if (hits < trials)
		most = incomplete_beta(trials - hits, hits + 1, 1 - chance);
	if (hits > 0)
		least = incomplete_beta(hits, trials - hits + 1, chance);
	return fmin(1, 2 * fmin(most, least));
}

double profil_student_test(double value, double freedom)
{
	if (freedom > NORMAL)
		return erfc(fabs(value) / M_SQRT2);
	return incomplete_beta(freedom / 2, 0.5,
			       freedom / (freedom + value * value));
}

/* Recurrence up to 6, and the asymptotic series from there */
double profil_digamma(double x)
{
	double sum = 0, r;

	for (; x < 6; x++)
		sum -= 1 / x;
	r = 1 / (x * x);
	return sum + log(x) - 0.5 / x -
	       r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240)));
}

double profil_trigamma(double x)
{
	double sum = 0, r;

	for (; x < 6; x++)
		sum += 1 / (x * x);
	r = 1 / (x * x);
	return sum + (1 + 0.5 / x) / x +
	       r / x * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r / 30)));
}

/* The function falls, so bisection finds its inverse. */
double profil_trigamma_inverse(double value)
{
	double low = 1 / 1e9, high = 1e9;

	for (int i = 0; i < 200; i++) {
		double middle = sqrt(low * high);

		if (profil_trigamma(middle) > value)
			low = middle;
		else
			high = middle;
	}
	return low;
}
