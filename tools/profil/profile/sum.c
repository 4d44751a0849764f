// SPDX-License-Identifier: GPL-2.0-only
/* Sum of profiles */
#include <stdlib.h>
#include <string.h>

#include "profile/head.h"
#include "profile/profile.h"
#include "util/array.h"
#include "util/memory.h"

/**
 * struct adding - a profile that is added to another
 * @sum: the sum
 * @other: the profile that is added
 * @programs: index in @sum of each program of @other
 * @objects: the same for objects
 * @functions: the same for functions
 * @nr_objects: objects of @sum before the addition
 * @nr_functions: functions of @sum before the addition
 */
struct adding {
	struct profile *sum;
	const struct profile *other;
	uint32_t *programs;
	uint32_t *objects;
	uint32_t *functions;
	uint32_t nr_objects;
	uint32_t nr_functions;
};

/* Strings are those of the sum, which are unique. */
static int compare_strings(const char *one, const char *other)
{
	return compare_numbers((uintptr_t)one, (uintptr_t)other);
}

static int by_file(const void *a, const void *b)
{
	const struct profile_object *one = *(void *const *)a;
	const struct profile_object *other = *(void *const *)b;
	int order = compare_numbers(one->kind, other->kind);

	if (!order)
		order = compare_numbers(one->build_id_size,
					other->build_id_size);
	if (!order && one->build_id_size)
		return memcmp(one->build_id, other->build_id,
			      one->build_id_size);
	return order ? order : compare_strings(one->path, other->path);
}

static int by_function(const void *a, const void *b)
{
	const struct profile_function *one = *(void *const *)a;
	const struct profile_function *other = *(void *const *)b;
	int order = compare_numbers(one->object, other->object);

	if (!order)
		order = compare_numbers(one->address, other->address);
	if (!order)
		order = compare_numbers(one->is_inlined, other->is_inlined);
	if (!order)
		order = compare_strings(one->symbol, other->symbol);
	return order ? order : compare_strings(one->name, other->name);
}

/* Sorted pointers to the @nr elements of @array, each of @size bytes */
static const void **sorted(const void *array, uint32_t nr, size_t size,
			   int (*by)(const void *a, const void *b))
{
	const void **pointers =
		profil_grow(NULL, (size_t)nr + 1, sizeof(*pointers));

	for (uint32_t i = 0; i < nr; i++)
		pointers[i] = (const char *)array + i * size;
	qsort(pointers, nr, sizeof(*pointers), by);
	return pointers;
}

static uint32_t *new_map(uint32_t nr)
{
	return profil_grow(NULL, (size_t)nr + 1, sizeof(uint32_t));
}

static void add_programs(struct adding *adding)
{
	const struct profile *other = adding->other;

	adding->programs = new_map(other->nr_programs);
	for (uint32_t i = 0; i < other->nr_programs; i++) {
		const char *path = other->programs[i];

		adding->programs[i] =
			profil_profile_add_program(adding->sum, path);
	}
}

/* Generated code differs between processes, whatever its addresses. */
static const struct profile_object *
find_object(const struct profile_object *wanted, const void **objects,
	    uint32_t nr)
{
	const void **found = NULL;

	if (wanted->kind != PROFILE_JIT)
		found = bsearch(&wanted, objects, nr, sizeof(*objects),
				by_file);
	return found ? *found : NULL;
}

static void add_objects(struct adding *adding)
{
	struct profile *sum = adding->sum;
	const struct profile *other = adding->other;
	uint32_t nr = sum->nr_objects;
	struct profile_object *before =
		profil_grow(NULL, (size_t)nr + 1, sizeof(*before));
	const void **objects;

	if (nr)
		memcpy(before, sum->objects, nr * sizeof(*before));
	objects = sorted(before, nr, sizeof(*before), by_file);
	adding->nr_objects = nr;
	adding->objects = new_map(other->nr_objects);
	for (uint32_t i = 0; i < other->nr_objects; i++) {
		struct profile_object object = other->objects[i];
		const struct profile_object *found;

		object.path = profil_profile_string(sum, object.path);
		found = find_object(&object, objects, nr);
		adding->objects[i] =
			found ? found - before :
				profil_profile_add_object(sum, &object);
	}
	free(objects);
	free(before);
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

static uint32_t add_function(struct adding *adding, uint32_t index,
			     const struct profile_function *before,
			     const void **functions)
{
	struct profile *sum = adding->sum;
	struct profile_function function = adding->other->functions[index];
	const struct profile_function *wanted = &function;
	const void **found;

	function.object = adding->objects[function.object];
	function.symbol = profil_profile_string(sum, function.symbol);
	function.name = profil_profile_string(sum, function.name);
	found = bsearch(&wanted, functions, adding->nr_functions,
			sizeof(*functions), by_function);
	if (found)
		return *(const struct profile_function **)found - before;
	return profil_profile_add_function(sum, &function);
}

static void add_functions(struct adding *adding)
{
	struct profile *sum = adding->sum;
	uint32_t nr = sum->nr_functions;
	struct profile_function *before =
		profil_grow(NULL, (size_t)nr + 1, sizeof(*before));
	const void **functions;

	if (nr)
		memcpy(before, sum->functions, nr * sizeof(*before));
	functions = sorted(before, nr, sizeof(*before), by_function);
	adding->nr_functions = nr;
	adding->functions = new_map(adding->other->nr_functions);
	for (uint32_t i = 0; i < adding->other->nr_functions; i++)
		adding->functions[i] =
			add_function(adding, i, before, functions);
	free(functions);
	free(before);
}

static uint32_t function_of(const struct adding *adding, uint32_t index)
{
	return index == PROFILE_NONE ? PROFILE_NONE : adding->functions[index];
}

/* Index of the first of the copies */
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
	for (uint32_t i = 0; i < adding->other->nr_places; i++) {
		struct profile_place place = adding->other->places[i];

		place.object = adding->objects[place.object];
		place.program = adding->programs[place.program];
		place.function = function_of(adding, place.function);
		place.frames = add_frames(adding, &place);
		profil_profile_add_place(adding->sum, &place);
	}
	profil_profile_sort(adding->sum);
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

static int by_program(const void *a, const void *b)
{
	const struct profile_unseen *one = a, *other = b;
	int order = strcmp(one->path, other->path);

	return order ? order : compare_numbers(one->reach, other->reach);
}

static void add_program_processes(void *to, const void *from)
{
	((struct profile_unseen *)to)->processes +=
		((const struct profile_unseen *)from)->processes;
}

static void add_unseen(struct adding *adding)
{
	struct profile *sum = adding->sum;

	for (uint32_t i = 0; i < adding->other->nr_unseen; i++)
		profil_profile_add_unseen(sum, &adding->other->unseen[i]);
	array_sort(sum->unseen, sum->nr_unseen, sizeof(*sum->unseen),
		   by_program);
	sum->nr_unseen = array_join(sum->unseen, sum->nr_unseen,
				    sizeof(*sum->unseen), by_program,
				    add_program_processes);
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
	add_programs(&adding);
	add_objects(&adding);
	add_segments(&adding);
	add_functions(&adding);
	add_places(&adding);
	add_calls(&adding);
	add_unseen(&adding);
	profil_head_add(&sum->head, &other->head);
	free(adding.programs);
	free(adding.objects);
	free(adding.functions);
	return SUM_OK;
}
