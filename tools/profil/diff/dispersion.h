/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dispersion: the variance of a row's samples, as a multiple of the variance
 * that sampling alone has
 *
 * It is 1 if runs differ by chance of sampling only, and larger if the program
 * itself takes more time in one run than in another. With the few runs that
 * there are, the estimate of a single row is vague, so it is drawn towards that
 * of all rows, the more so the less the rows differ.
 */
#ifndef PROFIL_DISPERSION_H
#define PROFIL_DISPERSION_H

#include "diff/comparison.h"

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

/* Estimate of all rows: the prior distribution for a single one */
struct dispersion profil_dispersion_prior(const struct comparison *comparison);

/* Estimate for @row; freedom is 0 if each side has one run. */
struct dispersion profil_dispersion_of(const struct comparison *comparison,
				       const struct dispersion *prior,
				       const struct change *row);

#endif
