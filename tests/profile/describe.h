/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_DESCRIBE_H
#define TESTS_DESCRIBE_H

#include "profile/profile.h"

/*
 * All that @profile has, as text to be freed: sorted lines with names in place of
 * indices. Equal texts are those of profiles that differ in the order of their
 * tables alone.
 */
char *describe(const struct profile *profile);

#endif
