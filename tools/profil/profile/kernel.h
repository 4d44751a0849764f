/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the kernel in place of the code that has entered it */
#ifndef PROFIL_PROFILE_KERNEL_H
#define PROFIL_PROFILE_KERNEL_H

#include "profile/profile.h"

/*
 * Let samples in kernel mode be those of the functions of the kernel, in an object of
 * this name, and no longer those of the code that entered the kernel. A function without
 * a program is in a program of this name, too. False, and nothing is changed, if samples
 * in kernel mode have no such functions.
 */
#define PROFILE_KERNEL "[kernel]"
bool profil_profile_enter_kernel(struct profile *profile);

/* Samples in kernel mode were recorded without the functions of the kernel. */
bool profil_profile_lacks_kernel(const struct profile *profile);

#endif
