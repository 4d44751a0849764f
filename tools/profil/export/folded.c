// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks: PROGRAM;OBJECT;FUNCTION[;INLINED]... SAMPLES, or with callers
 * PROGRAM[;FUNCTION[;INLINED]...]... SAMPLES
 */
#include "export/format.h"
#include "profile/kernel.h"
#include "profile/path_tails.h"
#include "util/text.h"

/* Last level of samples in kernel mode that are in a function of the program */
#define KERNEL ";[kernel]"

/* A line */
struct stack {
	char *levels;
	uint64_t samples;
};

/* Lines in the order of the samples */
struct stacks {
	struct stack *stacks;
	size_t nr;
};

/* Add a level and free @name; a semicolon separates levels. */
static void add_level(FILE *text, char *name)
{
	for (char *at = name; *at; at++)
		if (*at == ';')
			*at = ':';
	fprintf(text, ";%s", name);
	free(name);
}

/* The tail of a path, in UTF-8 */
static char *tail_of(const struct path_tails *tails, const char *path)
{
	return profil_text_utf8(profil_path_tail(tails, path));
}

static char *object_of(const struct profile *profile,
		       const struct path_names *names,
		       const struct profile_place *place)
{
	const struct profile_object *object = &profile->objects[place->object];

	if (object->kind == PROFILE_FILE)
		return tail_of(&names->objects, object->path);
	return profil_export_object_name(profile, place->object);
}

static void add_function(FILE *text, const struct profile *profile,
			 uint32_t function)
{
	add_level(text, profil_export_function_name(profile, function));
}

/*
 * Code of no function in no file has the level of its object only. The last
 * frame is that of the function around the place.
 */
static void add_functions(FILE *text, const struct profile *profile,
			  const struct profile_place *place)
{
	const struct profile_frame *frames = profile_frames_of(profile, place);

	if (place->function != PROFILE_NONE ||
	    profile->objects[place->object].kind == PROFILE_FILE)
		add_level(text, profil_export_place_name(profile, place));
	for (uint32_t i = place->nr_frames; i > 1; i--)
		add_function(text, profile, frames[i - 2].function);
}

/* The functions of a place as a level each, to be freed */
static char *functions_of(const struct profile *profile,
			  const struct profile_place *place)
{
	char *levels;
	size_t size;
	FILE *text = profil_memory_stream(&levels, &size);

	if (place->function == PROFILE_NONE &&
	    profile->objects[place->object].kind != PROFILE_FILE)
		add_level(text,
			  profil_export_object_name(profile, place->object));
	add_functions(text, profile, place);
	profil_memory_stream_end(text);
	return levels;
}

static char *levels_of(const struct profile *profile,
		       const struct path_names *names,
		       const struct profile_sample *sample)
{
	const struct profile_place *place = profile_place_of(profile, sample);
	char *levels;
	size_t size;
	FILE *text = profil_memory_stream(&levels, &size);

	add_level(text, tail_of(&names->programs,
				profile->programs[sample->program].path));
	add_level(text, object_of(profile, names, place));
	add_functions(text, profile, place);
	profil_memory_stream_end(text);
	return levels;
}

/* @levels begins with a semicolon. */
static void add(struct stacks *stacks, const char *levels, const char *mode,
		uint64_t samples)
{
	struct stack stack = { .samples = samples };

	if (!samples)
		return;
	stack.levels = profil_format("%s%s", levels + 1, mode);
	ARRAY_ADD(stacks->stacks, stacks->nr, stack);
}

static void add_sample(struct stacks *stacks, const struct profile *profile,
		       const struct path_names *names,
		       const struct profile_sample *sample)
{
	uint32_t object = profile_place_of(profile, sample)->object;
	const char *path = profile->objects[object].path;
	const char *mode = strcmp(path, PROFILE_KERNEL) ? KERNEL : "";
	char *levels = levels_of(profile, names, sample);

	add(stacks, levels, "", sample->user);
	add(stacks, levels, mode, sample->kernel);
	free(levels);
}

/*
 * Stacks of a recording of callers
 * @has_kernel: functions of the kernel have the samples in kernel mode, and stacks have none
 * @functions: levels of each place, or NULL
 */
struct call_stacks {
	const struct profile *profile;
	const struct path_names *names;
	struct stacks *stacks;
	bool has_kernel;
	char **functions;
};

static const char *functions_at(struct call_stacks *calls, uint32_t place)
{
	char **levels = &calls->functions[place];

	if (!*levels)
		*levels = functions_of(calls->profile,
				       &calls->profile->places[place]);
	return *levels;
}

/* The levels of the callers come before those of what they have called. */
static void add_callers(FILE *text, struct call_stacks *calls, uint32_t index)
{
	const struct profile_stack *stacks = calls->profile->stacks;
	uint32_t *path = NULL, nr = 0;

	for (; index != PROFILE_NONE; index = stacks[index].parent)
		ARRAY_ADD(path, nr, index);
	while (nr--)
		fputs(functions_at(calls, stacks[path[nr]].place), text);
	free(path);
}

static void add_call_stack(struct call_stacks *calls, uint32_t index)
{
	const struct profile *profile = calls->profile;
	const struct profile_stack *stack = &profile->stacks[index];
	const struct profile_program *program =
		&profile->programs[stack->program];
	uint64_t kernel = calls->has_kernel ? 0 : stack->kernel;
	char *levels;
	size_t size;
	FILE *text;

	if (!stack->user && !kernel)
		return;
	text = profil_memory_stream(&levels, &size);
	add_level(text, tail_of(&calls->names->programs, program->path));
	add_callers(text, calls, index);
	profil_memory_stream_end(text);
	add(calls->stacks, levels, "", stack->user);
	add(calls->stacks, levels, KERNEL, kernel);
	free(levels);
}

/* The part of @sample that stacks have not, as a stack of itself */
static void add_without_callers(struct call_stacks *calls,
				struct profile_sample sample,
				const struct profile_sample *in_stacks)
{
	const struct profile *profile = calls->profile;
	char *levels;
	size_t size;
	FILE *text = profil_memory_stream(&levels, &size);

	sample.user -= lesser(sample.user, in_stacks->user);
	sample.kernel -= lesser(sample.kernel, in_stacks->kernel);
	add_level(text, tail_of(&calls->names->programs,
				profile->programs[sample.program].path));
	fputs(functions_at(calls, sample.place), text);
	profil_memory_stream_end(text);
	add(calls->stacks, levels, "", sample.user);
	add(calls->stacks, levels, KERNEL, sample.kernel);
	free(levels);
}

static struct index_key key_of(uint32_t place, uint32_t program)
{
	return (struct index_key){ { place, program } };
}

/* Add the samples that are in no stack: those of recordings without callers. */
static void add_rest(struct call_stacks *calls)
{
	const struct profile *profile = calls->profile;
	struct profile_sample *in_stacks =
		profil_zeros(profile->nr_samples + 1ULL, sizeof(*in_stacks));
	struct index_map indices = { 0 };

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		profil_index_map_set(&indices,
				     key_of(profile->samples[i].place,
					    profile->samples[i].program),
				     i);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		struct index_key key = key_of(stack->place, stack->program);
		uint32_t at = profil_index_map_find(&indices, key);

		if (at == INDEX_NONE)
			continue;
		in_stacks[at].user += stack->user;
		in_stacks[at].kernel += calls->has_kernel ? 0 : stack->kernel;
	}
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		add_without_callers(calls, profile->samples[i], &in_stacks[i]);
	profil_index_map_free(&indices);
	free(in_stacks);
}

static void add_call_stacks(struct stacks *stacks,
			    const struct profile *profile,
			    const struct path_names *names)
{
	struct call_stacks calls = {
		.profile = profile,
		.names = names,
		.stacks = stacks,
		.functions =
			profil_zeros(profile->nr_places + 1ULL, sizeof(char *)),
	};

	for (uint32_t i = 0; i < profile->nr_objects; i++)
		calls.has_kernel |=
			!strcmp(profile->objects[i].path, PROFILE_KERNEL);
	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		add_call_stack(&calls, i);
	add_rest(&calls);
	for (uint32_t i = 0; i < profile->nr_places; i++)
		free(calls.functions[i]);
	free(calls.functions);
}

static int by_levels(const void *a, const void *b)
{
	const struct stack *one = a, *other = b;

	return strcmp(one->levels, other->levels);
}

static void add_samples(void *to, const void *from)
{
	struct stack *stack = to;
	const struct stack *other = from;

	stack->samples += other->samples;
	free(other->levels);
}

/* Print and free the stacks, equal ones added up. */
static void print(FILE *out, struct stacks *stacks)
{
	ARRAY_SORT(stacks->stacks, stacks->nr, by_levels);
	stacks->nr =
		ARRAY_JOIN(stacks->stacks, stacks->nr, by_levels, add_samples);
	for (size_t i = 0; i < stacks->nr; i++) {
		fprintf(out, "%s %" PRIu64 "\n", stacks->stacks[i].levels,
			stacks->stacks[i].samples);
		free(stacks->stacks[i].levels);
	}
	free(stacks->stacks);
}

static void write_folded(const struct profile *profile, FILE *out)
{
	struct stacks stacks = { 0 };
	struct path_names names;

	profil_path_names_read(&names, profile);
	if (profile->nr_stacks)
		add_call_stacks(&stacks, profile, &names);
	for (uint32_t i = 0; !profile->nr_stacks && i < profile->nr_samples;
	     i++)
		add_sample(&stacks, profile, &names, &profile->samples[i]);
	add(&stacks, ";" EXPORT_OUTSIDE, "", profile->head.outside);
	add(&stacks, ";" EXPORT_LOST, "", profile->head.lost);
	print(out, &stacks);
	profil_path_names_free(&names);
}

const struct export_format profil_format_folded = {
	.file = "profil.folded",
	.next = "flamegraph.pl ",
	.write = write_folded,
};
