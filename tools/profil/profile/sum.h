/* SPDX-License-Identifier: GPL-2.0-only */
/* Sum of profiles */
#ifndef PROFIL_SUM_H
#define PROFIL_SUM_H

#include "profile/profile.h"

/**
 * enum sum_error - reasons why profiles cannot be added up
 * @SUM_OK: none
 * @SUM_PERIOD: their samples stand for different times
 * @SUM_MANY: the counts are too large
 */
enum sum_error { SUM_OK, SUM_PERIOD, SUM_MANY };

/*
 * Add @other to @sum, which is unchanged on an error. Files are the same if they
 * have the same build ID, or none and the same path; functions, if they have the
 * same object, address and symbol.
 */
enum sum_error profil_profile_add(struct profile *sum,
				  const struct profile *other);

#endif
