// SPDX-License-Identifier: GPL-2.0-only
/* Samples whose stacks have a certain function */
#include "profile/tree.h"
#include "read/through.h"
#include "util/text.h"

/*
 * What is kept
 * @functions, @objects: those that match, by index
 * @places: places that are in them, by index
 * @stacks: stacks with such a place, by index
 */
struct keeping {
	struct profile *profile;
	bool *functions;
	bool *objects;
	bool *places;
	bool *stacks;
};

/* Code in no function has a name, too. */
static bool code_matches(const struct profile *profile, uint32_t object,
			 const regex_t *function)
{
	char *name = profil_object_code(&profile->objects[object]);
	bool is_match = profil_text_matches(function, name);

	free(name);
	return is_match;
}

static bool is_through(const struct keeping *keeping,
		       const struct profile_place *place,
		       const regex_t *function)
{
	const struct profile *profile = keeping->profile;
	const struct profile_frame *frames = profile_frames_of(profile, place);

	if (!keeping->objects[place->object])
		return false;
	for (uint32_t i = 0; i < place->nr_frames; i++)
		if (keeping->functions[frames[i].function])
			return true;
	if (place->function == PROFILE_NONE)
		return code_matches(profile, place->object, function);
	return keeping->functions[place->function];
}

static void find_places(struct keeping *keeping, const regex_t *function,
			const regex_t *object)
{
	const struct profile *profile = keeping->profile;

	keeping->functions = profil_zeros(profile->nr_functions + 1ULL, 1);
	keeping->objects = profil_zeros(profile->nr_objects + 1ULL, 1);
	keeping->places = profil_zeros(profile->nr_places + 1ULL, 1);
	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		const char *name = profile->functions[i].name;

		keeping->functions[i] = profil_text_matches(function, name);
	}
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		keeping->objects[i] =
			profil_text_matches(object, profile->objects[i].path);
	for (uint32_t i = 0; i < profile->nr_places; i++)
		keeping->places[i] =
			is_through(keeping, &profile->places[i], function);
}

/* Callers come before what they have called. */
static void keep_stacks(struct keeping *keeping)
{
	struct profile *profile = keeping->profile;

	keeping->stacks = profil_zeros(profile->nr_stacks + 1ULL, 1);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		struct profile_stack *stack = &profile->stacks[i];

		keeping->stacks[i] = keeping->places[stack->place] ||
				     (stack->parent != PROFILE_NONE &&
				      keeping->stacks[stack->parent]);
		if (keeping->stacks[i])
			continue;
		stack->user = 0;
		stack->kernel = 0;
	}
}

/* Let the samples of @profile be those of @leaves that are kept. */
static void keep_samples(const struct keeping *keeping,
			 const struct leaves *leaves)
{
	struct profile *profile = keeping->profile;

	profile->nr_samples = 0;
	for (uint32_t i = 0; i < leaves->nr; i++) {
		const struct profile_stack *leaf = &leaves->array[i];

		if (keeping->places[leaf->place] ||
		    (leaf->parent != PROFILE_NONE &&
		     keeping->stacks[leaf->parent]))
			profil_profile_add_sample(profile, &leaf->sample);
		else
			profile->left_out += profile_samples_of(&leaf->sample);
	}
	profil_profile_sort(profile);
}

void profil_profile_keep_through(struct profile *profile,
				 const regex_t *function, const regex_t *object)
{
	struct keeping keeping = { profile };
	struct leaves leaves;

	profil_leaves_make(&leaves, profile);
	find_places(&keeping, function, object);
	keep_stacks(&keeping);
	keep_samples(&keeping, &leaves);
	profile->is_through = true;
	profil_leaves_free(&leaves);
	free(keeping.functions);
	free(keeping.objects);
	free(keeping.places);
	free(keeping.stacks);
}
