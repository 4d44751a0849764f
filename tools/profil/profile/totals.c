// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the stacks of samples tell of groups
 *
 * A stack counts once for each group that its places are in, however often a function has
 * called itself.
 */
#include "profile/nesting.h"
#include "profile/totals.h"
#include "profile/tree.h"

/* Of each stack, the callers that are in its group, to be freed; the last group is none. */
static uint32_t *levels_of(const struct groups *groups,
			   const struct profile *profile,
			   const size_t *group_of)
{
	uint32_t nr = profile->nr_stacks;
	struct nested *nodes = profil_grow(NULL, nr + 1ULL, sizeof(*nodes));
	uint32_t *levels;

	for (uint32_t i = 0; i < nr; i++)
		nodes[i] = (struct nested){ profile->stacks[i].parent,
					    lesser(group_of[i], groups->nr) };
	levels = profil_nesting_levels(nodes, nr, groups->nr + 1);
	free(nodes);
	return levels;
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
	struct stack_sum *sums = profil_stack_sums(profile);
	uint32_t *levels = levels_of(groups, profile, group_of);

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		if (group_of[i] == GROUP_NONE)
			continue;
		leaves[group_of[i]] +=
			profile_samples_of(&profile->stacks[i].sample);
		if (!levels[i])
			groups->array[group_of[i]].total += sums[i].samples;
	}
	add_rest(groups, leaves);
	free(leaves);
	free(sums);
	free(levels);
}

/* The nearest callers that are the user's own code: of the functions of a library, for one */

/* Samples of a group whose nearest caller is a function of the name of @function */
struct nearest {
	size_t group;
	uint32_t function;
	uint64_t samples;
};

/*
 * @own: of each stack, the function in it that is the user's own code and nearest to its
 * end, or PROFILE_NONE
 * @of_program: the same in the file of the program
 * @array: one of each group and name
 */
struct nearness {
	const struct profile *profile;
	uint32_t *own;
	uint32_t *of_program;
	struct nearest *array;
	size_t nr;
	struct index_map indices;
};

static bool is_of_program(const struct profile *profile, uint32_t object,
			  uint32_t program)
{
	const char *path = profile_file_of(&profile->programs[program]);

	return profile->objects[object].path == path;
}

/* The stack @index continues in @function. */
static void enter(struct nearness *it, uint32_t index, uint32_t object,
		  uint32_t function)
{
	uint32_t program = it->profile->stacks[index].program;

	if (profil_code_is_own(it->profile, object, function))
		it->own[index] = function;
	if (function != PROFILE_NONE &&
	    is_of_program(it->profile, object, program))
		it->of_program[index] = function;
}

/* Callers come before what they have called. */
static void find_nearest(struct nearness *it)
{
	const struct profile *profile = it->profile;

	it->own = profil_indices(profile->nr_stacks);
	it->of_program = profil_indices(profile->nr_stacks);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		const struct profile_place *place =
			&profile->places[stack->place];
		const struct profile_frame *frames =
			profile_frames_of(profile, place);

		if (stack->parent != PROFILE_NONE) {
			it->own[i] = it->own[stack->parent];
			it->of_program[i] = it->of_program[stack->parent];
		}
		enter(it, i, place->object, place->function);
		for (uint32_t j = place->nr_frames; j > 1; j--)
			enter(it, i, place->object, frames[j - 2].function);
	}
}

/* The function that is the nearest caller of @stack, or PROFILE_NONE */
static uint32_t nearest_of(const struct nearness *it,
			   const struct profile_stack *stack)
{
	const struct profile_place *place = &it->profile->places[stack->place];
	uint32_t caller = stack->parent;

	if (caller == PROFILE_NONE ||
	    profil_code_is_own(it->profile, place->object, place->function))
		return PROFILE_NONE;
	if (it->own[caller] != PROFILE_NONE ||
	    is_of_program(it->profile, place->object, stack->program))
		return it->own[caller];
	return it->of_program[caller];
}

static void add_samples(struct nearness *it, size_t group, uint32_t function,
			uint64_t samples)
{
	const char *name = it->profile->functions[function].name;
	struct index_key key = { { group, (uintptr_t)name } };
	uint32_t index = profil_index_map_add(&it->indices, key, it->nr);

	if (index == it->nr)
		ARRAY_ADD(it->array, it->nr,
			  (struct nearest){ group, function });
	it->array[index].samples += samples;
}

static void add_nearest(struct nearness *it, const size_t *group_of)
{
	for (uint32_t i = 0; i < it->profile->nr_stacks; i++) {
		const struct profile_stack *stack = &it->profile->stacks[i];
		uint64_t samples = profile_samples_of(&stack->sample);
		uint32_t function;

		if (!samples || group_of[i] == GROUP_NONE)
			continue;
		function = nearest_of(it, stack);
		if (function != PROFILE_NONE)
			add_samples(it, group_of[i], function, samples);
	}
}

static void set_own(struct groups *groups, const struct profile *profile)
{
	for (size_t i = 0; i < groups->nr; i++) {
		struct group *group = &groups->array[i];
		const struct profile_place *place =
			profile_place_of(profile, group->hottest);

		group->is_own = profil_code_is_own(profile, place->object,
						   place->function);
	}
}

/* Of equal callers, the first one by name counts, whatever the order of the stacks. */
static bool is_nearer(const struct nearness *it, const struct nearest *nearest,
		      const struct group *group)
{
	const struct profile_function *functions = it->profile->functions;

	if (nearest->samples != group->caller_samples)
		return nearest->samples > group->caller_samples;
	return strcmp(functions[nearest->function].name, group->caller) < 0;
}

static void set_callers(const struct nearness *it, struct groups *groups)
{
	for (size_t i = 0; i < it->nr; i++) {
		const struct nearest *nearest = &it->array[i];
		struct group *group = &groups->array[nearest->group];
		uint32_t function = nearest->function;

		if (!is_nearer(it, nearest, group))
			continue;
		group->caller = it->profile->functions[function].name;
		group->caller_samples = nearest->samples;
	}
}

void profil_totals_set_callers(struct groups *groups,
			       const struct profile *profile,
			       const size_t *group_of)
{
	struct nearness it = { .profile = profile };

	set_own(groups, profile);
	find_nearest(&it);
	add_nearest(&it, group_of);
	set_callers(&it, groups);
	profil_index_map_free(&it.indices);
	free(it.own);
	free(it.of_program);
	free(it.array);
}
