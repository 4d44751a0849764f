// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks: PROGRAM;OBJECT;FUNCTION[;INLINED]... SAMPLES, or with callers
 * PROGRAM[;FUNCTION[;INLINED]...]... SAMPLES
 */
#include "export/format.h"
#include "profile/kernel.h"
#include "profile/path_tails.h"
#include "profile/tree.h"
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

static char *levels_of(const struct profile *profile,
		       const struct path_names *names,
		       const struct profile_sample *sample)
{
	const struct profile_place *place = profile_place_of(profile, sample);
	char *levels;
	FILE *text = profil_memory_stream(&levels, NULL);

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

/* A function of the kernel has the level of its object, as without callers. */
static void add_name(FILE *text, const struct tree_name *name)
{
	if (name->kind == CODE_KERNEL)
		fputs(KERNEL, text);
	add_level(text, profil_copy_string(name->text));
}

/* The levels of the node @index, those of its callers first, to be freed */
static char *levels_of_node(const struct tree *tree, uint32_t index)
{
	uint32_t *path = NULL, nr = 0;
	char *levels;
	FILE *text = profil_memory_stream(&levels, NULL);

	for (; index != PROFILE_NONE; index = tree->nodes[index].parent)
		ARRAY_ADD(path, nr, tree->nodes[index].name);
	while (nr--)
		add_name(text, &tree->names[path[nr]]);
	profil_memory_stream_end(text);
	free(path);
	return levels;
}

static void add_call_stacks(struct stacks *stacks,
			    const struct profile *profile)
{
	struct tree tree;

	profil_tree_read(&tree, profile, true, profil_text_utf8);
	for (uint32_t i = 0; i < tree.nr_nodes; i++) {
		const struct tree_node *node = &tree.nodes[i];
		const char *mode = KERNEL;
		char *levels;

		if (!node->self)
			continue;
		if (tree.names[node->name].kind == CODE_KERNEL)
			mode = "";
		levels = levels_of_node(&tree, i);
		add(stacks, levels, "", node->self - node->kernel);
		add(stacks, levels, mode, node->kernel);
		free(levels);
	}
	profil_tree_free(&tree);
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

static void add_samples_of(struct stacks *stacks, const struct profile *profile)
{
	struct path_names names;

	profil_path_names_read(&names, profile);
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		add_sample(stacks, profile, &names, &profile->samples[i]);
	add(stacks, ";" EXPORT_OUTSIDE, "", profile->head.outside);
	add(stacks, ";" EXPORT_LOST, "", profile->head.lost);
	profil_path_names_free(&names);
}

static void write_folded(const struct profile *profile, FILE *out)
{
	struct stacks stacks = { 0 };

	if (profile->nr_stacks)
		add_call_stacks(&stacks, profile);
	else
		add_samples_of(&stacks, profile);
	print(out, &stacks);
}

const struct export_format profil_format_folded = {
	.file = "profil.folded",
	.next = "flamegraph.pl ",
	.write = write_folded,
};
