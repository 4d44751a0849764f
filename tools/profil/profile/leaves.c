// SPDX-License-Identifier: GPL-2.0-only
/* Leaves: samples with the places that have called */
#include "profile/leaves.h"

/*
 * The leaves while they are made. @first: index of the first sample of each place and
 * program. @in_stacks: the part that stacks have of it and equal ones
 */
struct maker {
	const struct profile *profile;
	struct leaves *leaves;
	struct index_map first;
	struct profile_sample *in_stacks;
};

static void add(struct leaves *leaves, const struct profile_sample *sample,
		uint32_t caller)
{
	if (profile_samples_of(sample))
		ARRAY_ADD(leaves->array, leaves->nr,
			  (struct leaf){ *sample, caller });
}

static struct profile_sample sample_of(const struct profile_stack *stack)
{
	return (struct profile_sample){
		.place = stack->place,
		.program = stack->program,
		.user = stack->user,
		.kernel = stack->kernel,
	};
}

static struct index_key key_of(const struct profile_sample *sample)
{
	return (struct index_key){ { sample->place, sample->program } };
}

static void find_first(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct index_key key = key_of(&profile->samples[i]);

		if (profil_index_map_find(&maker->first, key) == INDEX_NONE)
			profil_index_map_set(&maker->first, key, i);
	}
}

static void add_stacks(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	find_first(maker);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		struct profile_sample sample = sample_of(stack);
		uint32_t at =
			profil_index_map_find(&maker->first, key_of(&sample));

		add(maker->leaves, &sample, stack->parent);
		if (at == INDEX_NONE)
			continue;
		maker->in_stacks[at].user += sample.user;
		maker->in_stacks[at].kernel += sample.kernel;
	}
}

/* Take from @samples what is in @others, as far as it goes. */
static void take(uint64_t *samples, uint64_t *others)
{
	uint64_t both = lesser(*samples, *others);

	*samples -= both;
	*others -= both;
}

/* Add the samples that are in no stack: those of recordings without callers. */
static void add_rest(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample sample = profile->samples[i];
		uint32_t first =
			profil_index_map_find(&maker->first, key_of(&sample));

		if (first != INDEX_NONE) {
			take(&sample.user, &maker->in_stacks[first].user);
			take(&sample.kernel, &maker->in_stacks[first].kernel);
		}
		add(maker->leaves, &sample, PROFILE_NONE);
	}
}

/* Stacks of callers have lower indices. */
static void mark_used(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	bool *are_used = maker->leaves->are_used;

	for (uint32_t i = profile->nr_stacks; i-- > 0;) {
		const struct profile_stack *stack = &profile->stacks[i];

		are_used[i] |= stack->user || stack->kernel;
		if (are_used[i] && stack->parent != PROFILE_NONE)
			are_used[stack->parent] = true;
	}
}

void profil_leaves_make(struct leaves *leaves, const struct profile *profile)
{
	struct maker maker = {
		.profile = profile,
		.leaves = leaves,
		.in_stacks = profil_zeros(profile->nr_samples + 1ULL,
					  sizeof(*maker.in_stacks)),
	};

	*leaves = (struct leaves){
		.are_used = profil_zeros(profile->nr_stacks + 1ULL, 1),
	};
	if (profile->nr_stacks)
		add_stacks(&maker);
	add_rest(&maker);
	mark_used(&maker);
	profil_index_map_free(&maker.first);
	free(maker.in_stacks);
}

void profil_leaves_free(struct leaves *leaves)
{
	free(leaves->array);
	free(leaves->are_used);
}

uint32_t *profil_leaf_places(const struct profile *profile,
			     const struct leaf *leaf, uint32_t *nr)
{
	uint32_t *places = NULL, at = leaf->caller;

	*nr = 0;
	ARRAY_ADD(places, *nr, leaf->sample.place);
	for (; at != PROFILE_NONE; at = profile->stacks[at].parent)
		ARRAY_ADD(places, *nr, profile->stacks[at].place);
	return places;
}
