/* SPDX-License-Identifier: GPL-2.0-only */
/* Totals of groups: their samples, and those of what they have called */
#ifndef PROFIL_TOTALS_H
#define PROFIL_TOTALS_H

#include "profile/groups.h"

/*
 * Set the totals of the groups: samples in them, and in what they have called. @group_of has
 * the index of the group of each stack, or GROUP_NONE.
 */
void profil_totals_set(struct groups *groups, const struct profile *profile,
		       const size_t *group_of);

#endif
