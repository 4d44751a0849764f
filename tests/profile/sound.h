/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_SOUND_H
#define TESTS_SOUND_H

#include "profile/profile.h"

/* Every index of @profile is within its table, and the sum of counts fits. */
bool is_sound(const struct profile *profile);

/* The samples of @profile, but for those that were lost */
unsigned __int128 all_samples(const struct profile *profile);

/* Forget samples and calls. Functions keep their places. */
void forget_samples(struct profile *profile);

#endif
