// SPDX-License-Identifier: GPL-2.0-only
#include "sound.h"

static bool is_sound_function(const struct profile *profile,
			      const struct profile_function *function)
{
	volatile uint8_t byte;

	if (function->code && function->size)
		byte = function->code[function->size - 1];
	(void)byte;
	return function->object < profile->nr_objects && function->name &&
	       function->symbol && function->file;
}

static bool is_sound_place(const struct profile *profile,
			   const struct profile_place *place)
{
	const struct profile_frame *frames;

	if (place->object >= profile->nr_objects)
		return false;
	if (place->function != PROFILE_NONE &&
	    place->function >= profile->nr_functions)
		return false;
	if (!place->nr_frames)
		return true;
	if (place->frames > profile->nr_frames ||
	    place->nr_frames > profile->nr_frames - place->frames)
		return false;
	frames = &profile->frames[place->frames];
	for (uint32_t i = 0; i < place->nr_frames; i++)
		if (frames[i].function >= profile->nr_functions ||
		    !frames[i].file)
			return false;
	return frames[place->nr_frames - 1].function == place->function;
}

unsigned __int128 all_samples(const struct profile *profile)
{
	unsigned __int128 sum = profile->head.outside;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		sum += profile->samples[i].user;
		sum += profile->samples[i].kernel;
	}
	return sum;
}

void forget_samples(struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		profile->samples[i].user = 0;
	profile->nr_calls = 0;
	profile->head.outside = 0;
}

static bool is_sound_stack(const struct profile *profile, uint32_t index)
{
	const struct profile_stack *stack = &profile->stacks[index];

	return (stack->parent == PROFILE_NONE || stack->parent < index) &&
	       stack->place < profile->nr_places &&
	       stack->program < profile->nr_programs;
}

bool is_sound(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		if (!is_sound_function(profile, &profile->functions[i]))
			return false;
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object >= profile->nr_objects)
			return false;
	for (uint32_t i = 0; i < profile->nr_places; i++)
		if (!is_sound_place(profile, &profile->places[i]))
			return false;
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		if (profile->samples[i].place >= profile->nr_places ||
		    profile->samples[i].program >= profile->nr_programs)
			return false;
	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		if (!is_sound_stack(profile, i))
			return false;
	for (uint32_t i = 0; i < profile->nr_kernel; i++)
		if (profile->kernel[i].stack != PROFILE_NONE &&
		    profile->kernel[i].stack >= profile->nr_stacks)
			return false;
	return all_samples(profile) + profile->head.lost ==
	       profil_profile_total(profile);
}
