// SPDX-License-Identifier: GPL-2.0-only
/* Samples whose stacks have a certain function */
#include "read/through.h"

/*
 * What is kept
 * @functions, @objects: those that match, by index
 * @places: places that are in them, by index
 */
struct keeping {
	struct profile *profile;
	bool *functions;
	bool *objects;
	bool *places;
};

static bool matches(const regex_t *regex, const char *text)
{
	return !regex || !regexec(regex, text, 0, NULL, 0);
}

/* Code in no function has a name, too. */
static bool code_matches(const struct profile *profile, uint32_t object,
			 const regex_t *function)
{
	char *name = profil_object_code(&profile->objects[object]);
	bool is_match = matches(function, name);

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
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		keeping->functions[i] =
			matches(function, profile->functions[i].name);
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		keeping->objects[i] = matches(object, profile->objects[i].path);
	for (uint32_t i = 0; i < profile->nr_places; i++)
		keeping->places[i] =
			is_through(keeping, &profile->places[i], function);
}

/* Drop the samples that are not in the functions themselves; their number */
static uint64_t drop_samples(struct keeping *keeping)
{
	struct profile *profile = keeping->profile;
	uint64_t dropped = 0;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample *sample = &profile->samples[i];

		if (keeping->places[sample->place])
			continue;
		dropped += profile_samples_of(sample);
		sample->user = 0;
		sample->kernel = 0;
	}
	return dropped;
}

static struct index_key key_of(uint32_t place, uint32_t program)
{
	return (struct index_key){ { place, program } };
}

/* Index of each sample, by place and program */
static void read_samples(struct index_map *samples,
			 const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];

		profil_index_map_set(samples,
				     key_of(sample->place, sample->program), i);
	}
}

/* Give back the samples of a stack with a caller that matches; their number */
static uint64_t take_back(struct profile *profile,
			  const struct index_map *samples,
			  const struct profile_stack *stack)
{
	struct index_key key = key_of(stack->place, stack->program);
	uint32_t at = profil_index_map_find(samples, key);

	if (at == INDEX_NONE)
		return 0;
	profile->samples[at].user += stack->user;
	profile->samples[at].kernel += stack->kernel;
	return stack->user + stack->kernel;
}

/* Callers come before what they have called. The number of samples that are given back */
static uint64_t keep_stacks(struct keeping *keeping)
{
	struct profile *profile = keeping->profile;
	bool *is_kept = profil_zeros(profile->nr_stacks + 1ULL, 1);
	struct index_map samples = { 0 };
	uint64_t kept = 0;

	read_samples(&samples, profile);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		struct profile_stack *stack = &profile->stacks[i];
		bool is_in = keeping->places[stack->place];

		is_kept[i] = is_in || (stack->parent != PROFILE_NONE &&
				       is_kept[stack->parent]);
		if (is_kept[i] && !is_in)
			kept += take_back(profile, &samples, stack);
		if (is_kept[i])
			continue;
		stack->user = 0;
		stack->kernel = 0;
	}
	profil_index_map_free(&samples);
	free(is_kept);
	return kept;
}

static void remove_empty(struct profile *profile)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		if (profile_samples_of(&profile->samples[i]))
			profile->samples[nr++] = profile->samples[i];
	profile->nr_samples = nr;
}

void profil_profile_keep_through(struct profile *profile,
				 const regex_t *function, const regex_t *object)
{
	struct keeping keeping = { profile };

	find_places(&keeping, function, object);
	profile->left_out = drop_samples(&keeping);
	profile->left_out -= keep_stacks(&keeping);
	profile->is_through = true;
	remove_empty(profile);
	free(keeping.functions);
	free(keeping.objects);
	free(keeping.places);
}
