// SPDX-License-Identifier: GPL-2.0-only
/* Calls: costs of the lines of functions, and of the calls there with all below */
#include "export/calls.h"
#include "export/format.h"
#include "profile/nesting.h"
#include "profile/tree.h"
#include "util/text.h"

/*
 * A position in a function: of samples, or of a call
 * @caller: index of the position that has called, a lower one, or PROFILE_NONE
 * @group: number of the function's name in its object: one may have code of several files
 * @own: samples of the position itself
 * @all: these, and those of what it has called
 */
struct position {
	uint32_t caller;
	uint32_t group;
	uint32_t function;
	uint32_t file;
	uint32_t line;
	uint64_t address;
	struct stack_sum own;
	struct stack_sum all;
};

/*
 * Calls while they are made
 * @unknown: name of an unknown file
 * @function_of: indices of functions by object, file, name and level, which is 0 while
 *	it is not known
 * @group_of: numbers of groups, @nr_groups
 * @cost_of: indices of costs by functions and position
 * @root_of: positions of programs, by their index and the end of the walk
 * @innermost: of each stack of the profile, the index of its last position
 * @positions: of all stacks so far
 */
struct maker {
	const struct profile *profile;
	struct calls *calls;
	const char *unknown;
	struct index_map function_of;
	struct index_map group_of;
	uint32_t nr_groups;
	struct index_map cost_of;
	struct index_map root_of;
	uint32_t *innermost;
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

/* Index of a new position, at the beginning of @function, which @caller has called */
static uint32_t add_position(struct maker *maker, uint32_t caller,
			     struct calls_function function, uint64_t address)
{
	struct index_key key = { { function.object, function.name } };
	struct position at = {
		.caller = caller,
		.group = profil_index_map_add(&maker->group_of, key,
					      maker->nr_groups),
		.function = index_of(maker, function),
		.file = function.file,
		.address = address,
	};

	if (at.group == maker->nr_groups)
		maker->nr_groups++;
	ARRAY_ADD(maker->positions, maker->nr_positions, at);
	return maker->nr_positions - 1;
}

/* Add the positions of @place below the position @caller: index of the innermost one */
static uint32_t add_place(struct maker *maker, uint32_t index, uint32_t caller)
{
	const struct profile_place *place = &maker->profile->places[index];
	const struct profile_frame *frames =
		profile_frames_of(maker->profile, place);

	for (uint32_t i = frames ? place->nr_frames : 1; i-- > 0;) {
		struct position *at;

		caller = add_position(maker, caller, describe(maker, place, i),
				      place->address);
		at = &maker->positions[caller];
		if (frames && *frames[i].file)
			at->file = number_of_file(maker, frames[i].file);
		at->line = frames ? frames[i].line : 0;
	}
	return caller;
}

/* Add a function @name, which is freed, of the program with @path. */
static uint32_t add_root(struct maker *maker, uint32_t caller, const char *path,
			 char *name)
{
	struct calls_function function = {
		.object = number_of(maker, profil_text_utf8(path)),
		.file = number_of_file(maker, ""),
		.name = number_of(maker, name),
	};

	return add_position(maker, caller, function, 0);
}

/* The program as a function that calls the outermost ones, and the mark of a walk's end */
static uint32_t root_of(struct maker *maker, uint32_t program, uint32_t end)
{
	const char *path = maker->profile->programs[program].path;
	struct index_key key = { { program, end == PROFIL_WALK_BY_RBP } };
	uint32_t root = profil_index_map_find(&maker->root_of, key);
	char *name;

	if (root != INDEX_NONE)
		return root;
	name = profil_text_utf8(profil_text_base(path));
	root = add_root(maker, PROFILE_NONE, path,
			profil_format("[program: %s]", name));
	if (end == PROFIL_WALK_BY_RBP)
		root = add_root(maker, root, path,
				profil_copy_string(TREE_BY_RBP));
	profil_index_map_set(&maker->root_of, key, root);
	free(name);
	return root;
}

/* The position that has called, in the stack @caller of @program */
static uint32_t caller_of(struct maker *maker, uint32_t caller,
			  uint32_t program, uint32_t end)
{
	if (caller == PROFILE_NONE)
		return root_of(maker, program, end);
	return maker->innermost[caller];
}

/* Add the stacks that have called. */
static void add_callers(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	struct stack_sum *sums = profil_stack_sums(profile);

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *it = &profile->stacks[i];
		uint32_t caller;

		if (sums[i].samples == it->user + it->kernel)
			continue;
		caller = caller_of(maker, it->parent, it->program, it->end);
		maker->innermost[i] = add_place(maker, it->place, caller);
	}
	free(sums);
}

/* Add the samples of @leaf at its own place. */
static void add_leaf(struct maker *maker, const struct profile_stack *leaf)
{
	const struct profile_sample *it = &leaf->sample;
	uint32_t caller =
		caller_of(maker, leaf->parent, it->program, leaf->end);
	struct stack_sum samples = { profile_samples_of(it), it->kernel };

	caller = add_place(maker, it->place, caller);
	maker->positions[caller].own = samples;
	maker->positions[caller].all = samples;
}

/* Callers come first. */
static void set_sums(struct maker *maker)
{
	for (uint32_t i = maker->nr_positions; i-- > 0;) {
		const struct position *it = &maker->positions[i];

		if (it->caller == PROFILE_NONE)
			continue;
		maker->positions[it->caller].all.samples += it->all.samples;
		maker->positions[it->caller].all.kernel += it->all.kernel;
	}
}

/* Of each position, how often its function is among its callers, to be freed */
static uint32_t *levels_of(const struct maker *maker)
{
	uint32_t nr = maker->nr_positions, *levels;
	struct nested *nodes = profil_grow(NULL, nr + 1ULL, sizeof(*nodes));

	for (uint32_t i = 0; i < nr; i++)
		nodes[i] = (struct nested){ maker->positions[i].caller,
					    maker->positions[i].group };
	levels = profil_nesting_levels(nodes, nr, maker->nr_groups);
	free(nodes);
	return levels;
}

/* Add the costs of all positions, and of the calls between them. */
static void add_costs(struct maker *maker)
{
	uint32_t *levels = levels_of(maker);

	for (uint32_t i = 0; i < maker->nr_positions; i++) {
		struct position *it = &maker->positions[i];
		struct calls_function function =
			maker->calls->functions[it->function];

		function.level = levels[i] + 1;
		it->function = index_of(maker, function);
		if (it->caller != PROFILE_NONE)
			add_cost(maker, &maker->positions[it->caller],
				 it->function, &it->all);
		if (it->own.samples)
			add_cost(maker, it, PROFILE_NONE, &it->own);
	}
	free(levels);
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
	profil_index_map_free(&maker->group_of);
	profil_index_map_free(&maker->cost_of);
	profil_index_map_free(&maker->root_of);
	free(maker->innermost);
	free(maker->positions);
}

void profil_calls_make(struct calls *calls, const struct profile *profile,
		       const char *unknown)
{
	struct maker maker = {
		.profile = profile,
		.calls = calls,
		.unknown = unknown,
		.innermost = profil_indices(profile->nr_stacks),
	};
	struct leaves leaves;

	*calls = (struct calls){ .strings = profil_strings_new() };
	profil_leaves_make(&leaves, profile);
	add_callers(&maker);
	for (uint32_t i = 0; i < leaves.nr; i++)
		add_leaf(&maker, &leaves.array[i]);
	set_sums(&maker);
	add_costs(&maker);
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
