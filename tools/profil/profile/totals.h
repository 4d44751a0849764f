/* SPDX-License-Identifier: GPL-2.0-only */
/* What stacks tell of groups: the samples of what they have called, and who called them */
#ifndef PROFIL_TOTALS_H
#define PROFIL_TOTALS_H

#include "profile/groups.h"

/*
 * Set the totals of the groups: samples in them, and in what they have called. @group_of has
 * the index of the group of each stack, or GROUP_NONE.
 */
void profil_totals_set(struct groups *groups, const struct profile *profile,
		       const size_t *group_of);

/*
 * Set which groups are code of the user, and the callers of the others: of their samples,
 * the nearest function of the user on the stack. Stacks without any have the nearest
 * function in the file of their program, unless the samples are in that file.
 */
void profil_totals_set_callers(struct groups *groups,
			       const struct profile *profile,
			       const size_t *group_of);

#endif
