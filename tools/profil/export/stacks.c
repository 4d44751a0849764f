// SPDX-License-Identifier: GPL-2.0-only
/* Stacks: samples with the places that have called */
#include "export/stacks.h"
#include "profile/kernel.h"

/*
 * The stacks while they are made. @has_kernel: functions of the kernel have the samples in
 * kernel mode. @in_stacks: the part of each sample of the profile that its stacks have
 */
struct maker {
	const struct profile *profile;
	struct export_stacks *stacks;
	bool has_kernel;
	struct profile_sample *in_stacks;
};

static void add(struct export_stacks *stacks,
		const struct profile_sample *sample, uint32_t caller)
{
	if (profile_samples_of(sample))
		ARRAY_ADD(stacks->array, stacks->nr,
			  (struct export_stack){ *sample, caller });
}

static struct profile_sample sample_of(const struct maker *maker,
				       const struct profile_stack *stack)
{
	return (struct profile_sample){
		.place = stack->place,
		.program = stack->program,
		.user = stack->user,
		.kernel = maker->has_kernel ? 0 : stack->kernel,
	};
}

static struct index_key key_of(const struct profile_sample *sample)
{
	return (struct index_key){ { sample->place, sample->program } };
}

static void add_stacks(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	struct index_map indices = { 0 };

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		profil_index_map_set(&indices, key_of(&profile->samples[i]), i);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		struct profile_sample sample = sample_of(maker, stack);
		uint32_t at = profil_index_map_find(&indices, key_of(&sample));

		add(maker->stacks, &sample, stack->parent);
		if (at == INDEX_NONE)
			continue;
		maker->in_stacks[at].user += sample.user;
		maker->in_stacks[at].kernel += sample.kernel;
	}
	profil_index_map_free(&indices);
}

/* Add the samples that are in no stack: those of recordings without callers. */
static void add_rest(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample sample = profile->samples[i];
		const struct profile_sample *others = &maker->in_stacks[i];

		sample.user -= lesser(sample.user, others->user);
		sample.kernel -= lesser(sample.kernel, others->kernel);
		add(maker->stacks, &sample, PROFILE_NONE);
	}
}

/* Stacks of callers have lower indices. */
static void mark_used(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	bool *are_used = maker->stacks->are_used;

	for (uint32_t i = profile->nr_stacks; i-- > 0;) {
		const struct profile_stack *stack = &profile->stacks[i];
		struct profile_sample sample = sample_of(maker, stack);

		are_used[i] |= profile_samples_of(&sample) > 0;
		if (are_used[i] && stack->parent != PROFILE_NONE)
			are_used[stack->parent] = true;
	}
}

static bool has_kernel(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		if (!strcmp(profile->objects[i].path, PROFILE_KERNEL))
			return true;
	return false;
}

void profil_export_stacks_make(struct export_stacks *stacks,
			       const struct profile *profile)
{
	struct maker maker = {
		.profile = profile,
		.stacks = stacks,
		.has_kernel = has_kernel(profile),
		.in_stacks = profil_zeros(profile->nr_samples + 1ULL,
					  sizeof(*maker.in_stacks)),
	};

	*stacks = (struct export_stacks){
		.are_used = profil_zeros(profile->nr_stacks + 1ULL, 1),
	};
	if (profile->nr_stacks)
		add_stacks(&maker);
	add_rest(&maker);
	mark_used(&maker);
	free(maker.in_stacks);
}

void profil_export_stacks_free(struct export_stacks *stacks)
{
	free(stacks->array);
	free(stacks->are_used);
}

uint32_t *profil_export_stack_places(const struct profile *profile,
				     const struct export_stack *stack,
				     uint32_t *nr)
{
	uint32_t *places = NULL, at = stack->caller;

	*nr = 0;
	ARRAY_ADD(places, *nr, stack->sample.place);
	for (; at != PROFILE_NONE; at = profile->stacks[at].parent)
		ARRAY_ADD(places, *nr, profile->stacks[at].place);
	return places;
}
