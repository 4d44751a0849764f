/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random profiles of one imagined system: what a profile has of an object, a
 * function or an instruction is the same in all of them, as in recordings of the
 * same files. A seed gives the same profiles.
 */
#ifndef TESTS_RANDOM_PROFILE_H
#define TESTS_RANDOM_PROFILE_H

#include "profile/profile.h"

/*
 * Make @profile, which is not initialized, of random samples, by random_u64(). Its
 * places are neither sorted nor unique.
 */
void random_profile(struct profile *profile);

/*
 * Add @stack with its samples, in the program of its caller if it has one, and let its
 * parent be the new one.
 */
void random_stack(struct profile *profile, struct profile_stack *stack);

/* Make @to, which is not initialized, @from with each table in a random order. */
void random_order(struct profile *to, const struct profile *from);

#endif
