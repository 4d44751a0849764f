// SPDX-License-Identifier: GPL-2.0-only
/* Calls: costs of the lines of functions, and of the calls there with all below */
#include "export/calls.h"
#include "export/format.h"
#include "profile/tree.h"
#include "util/text.h"

/* A position in a function: of samples, or of a call */
struct position {
	uint32_t function;
	uint32_t file;
	uint32_t line;
	uint64_t address;
};

/*
 * Positions of a stack of the profile: that in the function around its place, and those in
 * the functions that are inlined there. @first: index of the outermost one
 */
struct levels {
	uint32_t first;
	uint32_t nr;
};

/*
 * Calls while they are made
 * @unknown: name of an unknown file
 * @function_of: indices of functions by object, file, name and level
 * @cost_of: indices of costs by functions and position
 * @levels: of each stack of the profile
 * @positions: of all stacks so far
 */
struct maker {
	const struct profile *profile;
	struct calls *calls;
	const char *unknown;
	struct index_map function_of;
	struct index_map cost_of;
	struct levels *levels;
	struct position *positions;
	uint32_t nr_positions;
};

const char *profil_calls_file(const struct profile *profile,
			      const struct profile_place *place)
{
	const struct profile_frame *frames = profile_frames_of(profile, place);
	const char *file = "";

	if (place->function != PROFILE_NONE)
		file = profile->functions[place->function].file;
	if (!*file && frames)
		file = frames[place->nr_frames - 1].file;
	return file;
}

/* Number of a string that is freed */
static uint32_t number_of(struct maker *maker, char *text)
{
	return profil_strings_take(maker->calls->strings, text);
}

static uint32_t number_of_file(struct maker *maker, const char *file)
{
	return number_of(maker,
			 profil_text_utf8(*file ? file : maker->unknown));
}

/* Index of @function, which is added if it is new */
static uint32_t index_of(struct maker *maker, struct calls_function function)
{
	struct calls *calls = maker->calls;
	struct index_key key = { { (uint64_t)function.object << 32 |
					   function.file,
				   function.name, function.level } };
	uint32_t index = profil_index_map_add(&maker->function_of, key,
					      calls->nr_functions);

	if (index == calls->nr_functions)
		ARRAY_ADD(calls->functions, calls->nr_functions, function);
	return index;
}

static void add_cost(struct maker *maker, const struct position *at,
		     uint32_t callee, const struct stack_sum *samples)
{
	struct calls *calls = maker->calls;
	struct index_key key = { { (uint64_t)at->function << 32 | callee,
				   (uint64_t)at->file << 32 | at->line,
				   at->address } };
	struct calls_cost cost = {
		.function = at->function,
		.callee = callee,
		.file = at->file,
		.line = at->line,
		.address = at->address,
	};
	uint32_t index =
		profil_index_map_add(&maker->cost_of, key, calls->nr_costs);

	if (index == calls->nr_costs)
		ARRAY_ADD(calls->costs, calls->nr_costs, cost);
	calls->costs[index].samples += samples->samples;
	calls->costs[index].kernel += samples->kernel;
}

/* The function of the frame with index @frame of @place, or around a place without frames */
static struct calls_function
describe(struct maker *maker, const struct profile_place *place, uint32_t frame)
{
	const struct profile *profile = maker->profile;
	const struct profile_frame *frames = profile_frames_of(profile, place);
	uint32_t index = frames ? frames[frame].function : place->function;
	bool is_inlined = frames && frame + 1 < place->nr_frames;
	const struct profile_function *it =
		index == PROFILE_NONE ? NULL : &profile->functions[index];
	const char *file = it ? it->file : "";
	char *object = profil_export_object_name(profile, place->object);
	char *name = it ? profil_export_function_name(profile, index) :
			  profil_export_place_name(profile, place);

	if (!*file && frames)
		file = frames[frame].file;
	return (struct calls_function){
		.object = number_of(maker, object),
		.file = number_of_file(maker, file),
		.name = number_of(maker, name),
		.address = it && !is_inlined ? it->address : place->address,
		.line = it ? it->line : 0,
	};
}

/* A function may have code from several files. */
static bool is_same(const struct calls_function *one,
		    const struct calls_function *other)
{
	return one->object == other->object && one->name == other->name;
}

/* The last of @nr positions from @first in @function: its level there, or 0 */
static uint32_t level_among(const struct maker *maker,
			    const struct calls_function *function,
			    uint32_t first, uint32_t nr)
{
	while (nr--) {
		uint32_t index = maker->positions[first + nr].function;
		const struct calls_function *it =
			&maker->calls->functions[index];

		if (is_same(it, function))
			return it->level;
	}
	return 0;
}

/* Level of @function in a stack with @here positions so far, called by the stack @caller */
static uint32_t level_of(const struct maker *maker,
			 const struct calls_function *function, uint32_t first,
			 uint32_t caller)
{
	const struct profile_stack *stacks = maker->profile->stacks;
	uint32_t level = level_among(maker, function, first,
				     maker->nr_positions - first);

	for (; !level && caller != PROFILE_NONE;
	     caller = stacks[caller].parent) {
		const struct levels *it = &maker->levels[caller];

		level = level_among(maker, function, it->first, it->nr);
	}
	return level + 1;
}

/* Add the positions of @place, which the stack @caller has called. */
static struct levels add_positions(struct maker *maker,
				   const struct profile_place *place,
				   uint32_t caller)
{
	const struct profile_frame *frames =
		profile_frames_of(maker->profile, place);
	uint32_t first = maker->nr_positions;

	for (uint32_t i = frames ? place->nr_frames : 1; i-- > 0;) {
		struct calls_function function = describe(maker, place, i);
		struct position at = { .address = place->address };

		function.level = level_of(maker, &function, first, caller);
		at.function = index_of(maker, function);
		at.file = function.file;
		if (frames && *frames[i].file)
			at.file = number_of_file(maker, frames[i].file);
		at.line = frames ? frames[i].line : 0;
		ARRAY_ADD(maker->positions, maker->nr_positions, at);
	}
	return (struct levels){ first, maker->nr_positions - first };
}

/* The program as a function that calls the outermost ones */
static struct position program_of(struct maker *maker, uint32_t index)
{
	const char *path = maker->profile->programs[index].path;
	char *name = profil_text_utf8(profil_text_base(path));
	struct calls_function function = { .level = 1 };
	struct position at = { 0 };

	function.object = number_of(maker, profil_text_utf8(path));
	function.file = number_of_file(maker, "");
	function.name = number_of(maker, profil_format("[program: %s]", name));
	free(name);
	at.function = index_of(maker, function);
	at.file = function.file;
	return at;
}

/* Add the costs of calls from @caller and within @levels. */
static void add_calls(struct maker *maker, struct position caller,
		      const struct levels *levels,
		      const struct stack_sum *samples)
{
	for (uint32_t i = 0; i < levels->nr; i++) {
		struct position at = maker->positions[levels->first + i];

		add_cost(maker, &caller, at.function, samples);
		caller = at;
	}
}

/* The position that has called, in the stack @caller of @program */
static struct position caller_of(struct maker *maker, uint32_t caller,
				 uint32_t program)
{
	const struct levels *levels;

	if (caller == PROFILE_NONE)
		return program_of(maker, program);
	levels = &maker->levels[caller];
	return maker->positions[levels->first + levels->nr - 1];
}

/* Add the stacks that have called, with the samples of what these have called. */
static void add_callers(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	struct stack_sum *sums = profil_stack_sums(profile);

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *it = &profile->stacks[i];
		const struct profile_place *place = &profile->places[it->place];
		struct stack_sum below = {
			.samples = sums[i].samples - it->user - it->kernel,
			.kernel = sums[i].kernel - it->kernel,
		};
		struct position caller;

		if (!sums[i].samples)
			continue;
		maker->levels[i] = add_positions(maker, place, it->parent);
		if (!below.samples)
			continue;
		caller = caller_of(maker, it->parent, it->program);
		add_calls(maker, caller, &maker->levels[i], &below);
	}
	free(sums);
}

/* Add the samples of @leaf at its own place. */
static void add_stack(struct maker *maker, const struct leaf *leaf)
{
	const struct profile_sample *sample = &leaf->sample;
	const struct profile_place *place =
		&maker->profile->places[sample->place];
	struct levels levels = add_positions(maker, place, leaf->caller);
	struct stack_sum samples = {
		.samples = profile_samples_of(sample),
		.kernel = sample->kernel,
	};

	add_calls(maker, caller_of(maker, leaf->caller, sample->program),
		  &levels, &samples);
	maker->nr_positions = levels.first + levels.nr;
	add_cost(maker, &maker->positions[maker->nr_positions - 1],
		 PROFILE_NONE, &samples);
	maker->nr_positions = levels.first;
}

/* The costs of own lines come first. */
static int by_callee(const struct calls_cost *one,
		     const struct calls_cost *other)
{
	bool is_own = one->callee == PROFILE_NONE;
	bool other_is_own = other->callee == PROFILE_NONE;

	return compare_numbers(other_is_own, is_own);
}

static int by_function(const void *a, const void *b)
{
	const struct calls_cost *one = a, *other = b;

	return compare_numbers(one->function, other->function)	     ?:
		       by_callee(one, other)			     ?:
		       compare_numbers(one->address, other->address) ?:
		       compare_numbers(one->line, other->line)	     ?:
		       compare_numbers(one->file, other->file)	     ?:
		       compare_numbers(one->callee, other->callee);
}

static void free_maker(struct maker *maker)
{
	profil_index_map_free(&maker->function_of);
	profil_index_map_free(&maker->cost_of);
	free(maker->levels);
	free(maker->positions);
}

void profil_calls_make(struct calls *calls, const struct profile *profile,
		       const char *unknown)
{
	struct maker maker = {
		.profile = profile,
		.calls = calls,
		.unknown = unknown,
		.levels = profil_zeros(profile->nr_stacks + 1ULL,
				       sizeof(*maker.levels)),
	};
	struct leaves leaves;

	*calls = (struct calls){ .strings = profil_strings_new() };
	profil_leaves_make(&leaves, profile);
	add_callers(&maker);
	for (uint32_t i = 0; i < leaves.nr; i++)
		add_stack(&maker, &leaves.array[i]);
	ARRAY_SORT(calls->costs, calls->nr_costs, by_function);
	profil_leaves_free(&leaves);
	free_maker(&maker);
}

void profil_calls_free(struct calls *calls)
{
	profil_strings_free(calls->strings);
	free(calls->functions);
	free(calls->costs);
}
