/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_SOUND_H
#define TESTS_SOUND_H

#include "profile/profile.h"

/* Every index of @profile is within its table, and the sum of counts fits. */
bool is_sound(const struct profile *profile);

#endif
