/* SPDX-License-Identifier: GPL-2.0-only */
/* Probabilities of distributions, and functions that their parameters need */
#ifndef PROFIL_DISTRIBUTION_H
#define PROFIL_DISTRIBUTION_H

/*
 * Two-sided probability of @hits or a number as unlikely, of @trials that each
 * hit with the probability @chance: twice the smaller tail of the binomial
 * distribution, 1 at most
 */
double profil_binomial_test(double hits, double trials, double chance);

/*
 * Two-sided probability of a value as far from 0 as @value in Student's
 * distribution with @freedom degrees of freedom, which may be INFINITY
 */
double profil_student_test(double value, double freedom);

/* First and second derivative of the logarithm of the gamma function */
double profil_digamma(double x);
double profil_trigamma(double x);

/* The number whose trigamma function is @value, above 0 */
double profil_trigamma_inverse(double value);

#endif
