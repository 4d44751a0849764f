// SPDX-License-Identifier: GPL-2.0-only
/* Sum of profiles */
#include "profile/head.h"
#include "profile/kernel.h"
#include "profile/sum.h"

/*
 * The profile @other, which is added to @sum, and the index in @sum of each of its
 * elements. @nr_objects: objects of @sum before
 */
struct adding {
	struct profile *sum;
	const struct profile *other;
	uint32_t *programs;
	uint32_t *objects;
	uint32_t *functions;
	uint32_t *places;
	uint32_t *stacks;
	uint32_t nr_objects;
};

/* Words of a key are strings of the sum, too, which are unique. */
static uint64_t word_of(struct profile *sum, const char *string)
{
	return (uintptr_t)profil_profile_string(sum, string);
}

/* Files are the same by their build ID or, without one, by their path. */
static struct index_key object_key(struct profile *sum,
				   const struct profile_object *object)
{
	struct index_key key = { { object->kind } };
	char id[2 * FILE_BUILD_ID + 1];

	if (!object->build_id_size) {
		key.words[1] = word_of(sum, object->path);
		return key;
	}
	profil_object_build_id(object, id);
	key.words[2] = word_of(sum, id);
	return key;
}

/* @function has the index of an object of the sum. */
static struct index_key function_key(struct profile *sum,
				     const struct profile_function *function)
{
	bool has_symbol = *function->symbol;

	return (struct index_key){ {
		(uint64_t)function->object << 2 | function->is_inlined << 1 |
			has_symbol,
		function->address,
		word_of(sum, has_symbol ? function->symbol : function->name),
	} };
}

static void add_programs(struct adding *adding)
{
	const struct profile *other = adding->other;

	adding->programs = profil_indices(other->nr_programs);
	for (uint32_t i = 0; i < other->nr_programs; i++) {
		const struct profile_program *program = &other->programs[i];

		adding->programs[i] =
			profil_profile_add_program(adding->sum, program);
	}
}

/* Generated code differs between processes, whatever its addresses. */
static void add_objects(struct adding *adding)
{
	struct profile *sum = adding->sum;
	const struct profile *other = adding->other;
	struct index_map found = { 0 };

	adding->nr_objects = sum->nr_objects;
	adding->objects = profil_indices(other->nr_objects);
	for (uint32_t i = 0; i < sum->nr_objects; i++) {
		struct index_key key = object_key(sum, &sum->objects[i]);

		if (sum->objects[i].kind != PROFILE_JIT)
			profil_index_map_set(&found, key, i);
	}
	for (uint32_t i = 0; i < other->nr_objects; i++) {
		const struct profile_object *object = &other->objects[i];
		uint32_t index =
			profil_index_map_find(&found, object_key(sum, object));

		if (index == INDEX_NONE)
			index = profil_profile_add_object(sum, object);
		adding->objects[i] = index;
	}
	profil_index_map_free(&found);
}

static void add_segments(struct adding *adding)
{
	const struct profile *other = adding->other;

	for (uint32_t i = 0; i < other->nr_segments; i++) {
		struct profile_segment segment = other->segments[i];

		segment.object = adding->objects[segment.object];
		if (segment.object >= adding->nr_objects)
			profil_profile_add_segment(adding->sum, &segment);
	}
}

static void add_functions(struct adding *adding)
{
	struct profile *sum = adding->sum;
	const struct profile *other = adding->other;
	struct index_map found = { 0 };

	adding->functions = profil_indices(other->nr_functions);
	for (uint32_t i = 0; i < sum->nr_functions; i++)
		profil_index_map_set(&found,
				     function_key(sum, &sum->functions[i]), i);
	for (uint32_t i = 0; i < other->nr_functions; i++) {
		struct profile_function function = other->functions[i];
		uint32_t index;

		function.object = adding->objects[function.object];
		index = profil_index_map_find(&found,
					      function_key(sum, &function));
		if (index == INDEX_NONE)
			index = profil_profile_add_function(sum, &function);
		adding->functions[i] = index;
	}
	profil_index_map_free(&found);
}

static uint32_t function_of(const struct adding *adding, uint32_t index)
{
	return index == PROFILE_NONE ? PROFILE_NONE : adding->functions[index];
}

/* Index of the first of the copies, which are the last frames of the sum */
static uint32_t add_frames(struct adding *adding,
			   const struct profile_place *place)
{
	uint32_t first = adding->sum->nr_frames;

	for (uint32_t i = 0; i < place->nr_frames; i++) {
		struct profile_frame frame =
			adding->other->frames[place->frames + i];

		frame.function = function_of(adding, frame.function);
		profil_profile_add_frame(adding->sum, &frame);
	}
	return first;
}

static void add_places(struct adding *adding)
{
	adding->places = profil_indices(adding->other->nr_places);
	for (uint32_t i = 0; i < adding->other->nr_places; i++) {
		struct profile_place place = adding->other->places[i];

		place.object = adding->objects[place.object];
		place.function = function_of(adding, place.function);
		place.frames = add_frames(adding, &place);
		adding->places[i] =
			profil_profile_add_place(adding->sum, &place);
	}
}

static void add_samples(struct adding *adding)
{
	for (uint32_t i = 0; i < adding->other->nr_samples; i++) {
		struct profile_sample sample = adding->other->samples[i];

		sample.place = adding->places[sample.place];
		sample.program = adding->programs[sample.program];
		profil_profile_add_sample(adding->sum, &sample);
	}
	profil_profile_sort(adding->sum);
}

/* The parent of a stack is before it. */
static void add_stacks(struct adding *adding)
{
	uint32_t *stacks = profil_indices(adding->other->nr_stacks);

	adding->stacks = stacks;
	for (uint32_t i = 0; i < adding->other->nr_stacks; i++) {
		struct profile_stack stack = adding->other->stacks[i];

		if (stack.parent != PROFILE_NONE)
			stack.parent = stacks[stack.parent];
		stack.place = adding->places[stack.place];
		stack.program = adding->programs[stack.program];
		stacks[i] = profil_profile_add_stack(adding->sum, &stack);
	}
}

static void add_calls(struct adding *adding)
{
	for (uint32_t i = 0; i < adding->other->nr_calls; i++) {
		struct profile_call call = adding->other->calls[i];

		call.caller = function_of(adding, call.caller);
		call.callee = function_of(adding, call.callee);
		profil_profile_add_call(adding->sum, &call);
	}
}

static void add_kernel(struct adding *adding)
{
	struct profile *sum = adding->sum;

	for (uint32_t i = 0; i < adding->other->nr_kernel; i++) {
		struct profile_kernel kernel = adding->other->kernel[i];

		if (kernel.program != PROFILE_NONE)
			kernel.program = adding->programs[kernel.program];
		if (kernel.stack != PROFILE_NONE)
			kernel.stack = adding->stacks[kernel.stack];
		profil_profile_add_kernel(sum, &kernel);
	}
}

enum sum_error profil_profile_add(struct profile *sum,
				  const struct profile *other)
{
	struct adding adding = { .sum = sum, .other = other };
	uint64_t total;

	if (sum->head.period_ns && other->head.period_ns &&
	    sum->head.period_ns != other->head.period_ns)
		return SUM_PERIOD;
	if (__builtin_add_overflow(profil_profile_total(sum),
				   profil_profile_total(other), &total))
		return SUM_MANY;
	sum->lacks_kernel = profil_profile_lacks_kernel(sum) ||
			    profil_profile_lacks_kernel(other);
	add_programs(&adding);
	add_objects(&adding);
	add_segments(&adding);
	add_functions(&adding);
	add_places(&adding);
	add_samples(&adding);
	add_stacks(&adding);
	add_calls(&adding);
	add_kernel(&adding);
	profil_head_add(&sum->head, &other->head);
	free(adding.programs);
	free(adding.objects);
	free(adding.functions);
	free(adding.places);
	free(adding.stacks);
	return SUM_OK;
}
