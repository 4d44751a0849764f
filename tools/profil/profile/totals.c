// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stack counts once for each group that its places are in, however often a function has
 * called itself.
 */
#include "profile/nesting.h"
#include "profile/totals.h"

static uint64_t samples_of(const struct profile_stack *stack)
{
	return stack->user + stack->kernel;
}

/* Of each stack, its samples and those of all stacks that it has called, to be freed */
static uint64_t *sums_of(const struct profile *profile)
{
	uint64_t *sums = profil_zeros(profile->nr_stacks + 1ULL, sizeof(*sums));

	for (uint32_t i = profile->nr_stacks; i-- > 0;) {
		const struct profile_stack *stack = &profile->stacks[i];

		sums[i] += samples_of(stack);
		if (stack->parent != PROFILE_NONE)
			sums[stack->parent] += sums[i];
	}
	return sums;
}

/* Of each stack, whether no caller is in its group, to be freed; the last group is none. */
static bool *outermost_of(const struct groups *groups,
			  const struct profile *profile, const size_t *group_of)
{
	uint32_t nr = profile->nr_stacks;
	struct nested *nodes = profil_grow(NULL, nr + 1ULL, sizeof(*nodes));
	bool *is_outermost;

	for (uint32_t i = 0; i < nr; i++)
		nodes[i] = (struct nested){ profile->stacks[i].parent,
					    lesser(group_of[i], groups->nr) };
	is_outermost = profil_nesting_outermost(nodes, nr, groups->nr + 1);
	free(nodes);
	return is_outermost;
}

/* Samples whose callers were not recorded count for their own group alone. */
static void add_rest(struct groups *groups, const uint64_t *leaves)
{
	for (size_t i = 0; i < groups->nr; i++) {
		struct group *group = &groups->array[i];

		if (group->samples > leaves[i])
			group->total += group->samples - leaves[i];
	}
}

void profil_totals_set(struct groups *groups, const struct profile *profile,
		       const size_t *group_of)
{
	uint64_t *leaves = profil_zeros(groups->nr + 1, sizeof(*leaves));
	uint64_t *sums = sums_of(profile);
	bool *is_outermost = outermost_of(groups, profile, group_of);

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		if (group_of[i] == GROUP_NONE)
			continue;
		leaves[group_of[i]] += samples_of(&profile->stacks[i]);
		if (is_outermost[i])
			groups->array[group_of[i]].total += sums[i];
	}
	add_rest(groups, leaves);
	free(leaves);
	free(sums);
	free(is_outermost);
}
