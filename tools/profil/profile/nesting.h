/* SPDX-License-Identifier: GPL-2.0-only */
/* How deep calls are nested in calls of their own group */
#ifndef PROFIL_PROFILE_NESTING_H
#define PROFIL_PROFILE_NESTING_H

#include "profile/profile.h"

/* Nodes: a caller has a lower index. @parent: of the caller, or PROFILE_NONE */
struct nested {
	uint32_t parent;
	uint32_t group;
};

/*
 * Of each of @nr nodes, how many callers of it, however far, are in its group, one of
 * @nr_groups; to be freed. It takes time in proportion to the nodes, however deep they are.
 */
uint32_t *profil_nesting_levels(const struct nested *nodes, uint32_t nr,
				uint32_t nr_groups);

#endif
