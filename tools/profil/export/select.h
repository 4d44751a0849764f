/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EXPORT_SELECT_H
#define PROFIL_EXPORT_SELECT_H

#include <regex.h>

#include "profile/profile.h"

/*
 * Remove the samples whose object does not match @regex: by path of the file, or
 * by EXPORT_OUTSIDE, EXPORT_LOST and [jit: PROGRAM].
 */
void profil_export_select(struct profile *profile, const regex_t *regex);

#endif
