// SPDX-License-Identifier: GPL-2.0-only
/* How deep calls are nested in calls of their own group */
#include "profile/nesting.h"

/*
 * A walk through the nodes, callers before callees; nothing calls itself.
 * @first: of each node, its first callee, or PROFILE_NONE
 * @next: of each node, the next callee of its caller, or the next one without a caller
 * @open: of each group, nodes on the path to the present one
 */
struct nesting {
	const struct nested *nodes;
	uint32_t *first;
	uint32_t *next;
	uint32_t *open;
};

/* The first node without a caller, or PROFILE_NONE */
static uint32_t link_nodes(struct nesting *nesting, uint32_t nr)
{
	uint32_t outermost = PROFILE_NONE;

	for (uint32_t i = nr; i-- > 0;) {
		uint32_t parent = nesting->nodes[i].parent;
		uint32_t *first = parent == PROFILE_NONE ?
					  &outermost :
					  &nesting->first[parent];

		nesting->next[i] = *first;
		*first = i;
	}
	return outermost;
}

/* Leave @at and the callers whose last callee it is; the next node, or PROFILE_NONE */
static uint32_t leave(struct nesting *nesting, uint32_t at)
{
	while (at != PROFILE_NONE) {
		nesting->open[nesting->nodes[at].group]--;
		if (nesting->next[at] != PROFILE_NONE)
			return nesting->next[at];
		at = nesting->nodes[at].parent;
	}
	return PROFILE_NONE;
}

uint32_t *profil_nesting_levels(const struct nested *nodes, uint32_t nr,
				uint32_t nr_groups)
{
	uint32_t *levels = profil_zeros(nr + 1ULL, sizeof(*levels));
	struct nesting nesting = {
		.nodes = nodes,
		.first = profil_indices(nr),
		.next = profil_indices(nr),
		.open = profil_zeros(nr_groups + 1ULL, sizeof(uint32_t)),
	};
	uint32_t at = link_nodes(&nesting, nr);

	while (at != PROFILE_NONE) {
		levels[at] = nesting.open[nodes[at].group]++;
		at = nesting.first[at] != PROFILE_NONE ? nesting.first[at] :
							 leave(&nesting, at);
	}
	free(nesting.first);
	free(nesting.next);
	free(nesting.open);
	return levels;
}
