// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stack counts once for each group that its places are in, however often a function has
 * called itself.
 */
#include "profile/totals.h"

/*
 * @group_of: index of the group of each stack, or GROUP_NONE
 * @leaves: of each group, samples of stacks whose last place is in it
 * @seen: of each group, the last stack that was counted, plus 1
 */
struct totals {
	const struct profile *profile;
	struct groups *groups;
	const size_t *group_of;
	uint64_t *leaves;
	uint32_t *seen;
};

static uint64_t samples_of(const struct profile_stack *stack)
{
	return stack->user + stack->kernel;
}

/* Add the samples of the stack @index to the groups of it and its callers. */
static void add_stack(struct totals *totals, uint32_t index)
{
	const struct profile_stack *stacks = totals->profile->stacks;
	uint64_t samples = samples_of(&stacks[index]);

	if (totals->group_of[index] != GROUP_NONE)
		totals->leaves[totals->group_of[index]] += samples;
	for (uint32_t at = index; at != PROFILE_NONE; at = stacks[at].parent) {
		size_t group = totals->group_of[at];

		if (group == GROUP_NONE || totals->seen[group] == index + 1)
			continue;
		totals->seen[group] = index + 1;
		totals->groups->array[group].total += samples;
	}
}

/* Samples whose callers were not recorded count for their own group alone. */
static void add_rest(struct totals *totals)
{
	for (size_t i = 0; i < totals->groups->nr; i++) {
		struct group *group = &totals->groups->array[i];

		if (group->samples > totals->leaves[i])
			group->total += group->samples - totals->leaves[i];
	}
}

void profil_totals_set(struct groups *groups, const struct profile *profile,
		       const size_t *group_of)
{
	struct totals totals = {
		.profile = profile,
		.groups = groups,
		.group_of = group_of,
		.leaves = profil_zeros(groups->nr + 1, sizeof(uint64_t)),
		.seen = profil_zeros(groups->nr + 1, sizeof(uint32_t)),
	};

	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		if (samples_of(&profile->stacks[i]))
			add_stack(&totals, i);
	add_rest(&totals);
	free(totals.leaves);
	free(totals.seen);
}
