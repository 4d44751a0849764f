// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call trees of random profiles, compared with the stacks of each sample, which are walked
 * one by one
 */
#include <stdlib.h>
#include <string.h>

#include "profile/tree.h"
#include "random.h"
#include "random_profile.h"
#include "util/text.h"

#define CASES 20
#define DEEPEST 300

/* Functions of a stack, the outermost first after turn(), and its samples */
struct walked {
	char *labels[DEEPEST];
	int nr;
	uint64_t samples;
	uint64_t kernel;
};

struct all_walked {
	struct walked *array;
	size_t nr;
};

/* What a name is of, whatever its index */
static char *label_of(const struct profile *profile, uint32_t object,
		      uint32_t function)
{
	const struct profile_object *it = &profile->objects[object];
	const char *name = function == PROFILE_NONE ?
				   "(none)" :
				   profile->functions[function].name;

	if (it->kind == PROFILE_FILE)
		return profil_format("file %u %u", object, function);
	return profil_format("code %d %s %s", it->kind, it->path, name);
}

static char *label_of_name(const struct profile *profile,
			   const struct tree_name *name)
{
	if (name->program != PROFILE_NONE)
		return profil_format("program %s",
				     profile->programs[name->program].path);
	if (name->object == PROFILE_NONE)
		return profil_format("nowhere %s", name->text);
	return label_of(profile, name->object, name->function);
}

static char *label_at(const struct profile *profile, const struct tree *tree,
		      uint32_t node)
{
	return label_of_name(profile, &tree->names[tree->nodes[node].name]);
}

/* Add the functions of a place, the innermost first. */
static void walk_place(const struct profile *profile, struct walked *walked,
		       uint32_t index)
{
	const struct profile_place *place = &profile->places[index];
	const struct profile_frame *frames = profile_frames_of(profile, place);

	for (uint32_t i = 1; i < place->nr_frames; i++)
		walked->labels[walked->nr++] = label_of(profile, place->object,
							frames[i - 1].function);
	walked->labels[walked->nr++] =
		label_of(profile, place->object, place->function);
}

static void turn(struct walked *walked)
{
	for (int i = 0; i < walked->nr / 2; i++) {
		char *label = walked->labels[i];

		walked->labels[i] = walked->labels[walked->nr - 1 - i];
		walked->labels[walked->nr - 1 - i] = label;
	}
}

static struct walked walk(const struct profile *profile,
			  const struct profile_stack *stack, bool has_program)
{
	struct walked walked = { .samples = stack->user + stack->kernel,
				 .kernel = stack->kernel };
	const char *path;

	for (;;) {
		walk_place(profile, &walked, stack->place);
		if (stack->parent == PROFILE_NONE)
			break;
		stack = &profile->stacks[stack->parent];
	}
	if (stack->end == PROFIL_WALK_BY_RBP)
		walked.labels[walked.nr++] =
			profil_copy_string("nowhere [by frame pointers]");
	path = profile->programs[stack->program].path;
	if (has_program)
		walked.labels[walked.nr++] = profil_format("program %s", path);
	turn(&walked);
	return walked;
}

/* The part of @sample that no stack has, as a stack without callers */
static struct profile_stack rest_of(const struct profile *profile,
				    const struct profile_sample *sample)
{
	struct profile_stack rest = {
		.parent = PROFILE_NONE,
		.place = sample->place,
		.program = sample->program,
		.user = sample->user,
		.kernel = sample->kernel,
	};

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		if (stack->place != sample->place ||
		    stack->program != sample->program)
			continue;
		rest.user -= lesser(rest.user, stack->user);
		rest.kernel -= lesser(rest.kernel, stack->kernel);
	}
	return rest;
}

static void walk_nowhere(struct all_walked *all, const char *name,
			 uint64_t samples)
{
	struct walked walked = { { profil_format("nowhere %s", name) },
				 1,
				 samples };

	ARRAY_ADD(all->array, all->nr, walked);
}

static struct all_walked walk_all(const struct profile *profile,
				  bool has_programs)
{
	struct all_walked all = { 0 };

	for (uint32_t i = 0; i < profile->nr_stacks; i++)
		ARRAY_ADD(all.array, all.nr,
			  walk(profile, &profile->stacks[i], has_programs));
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_stack rest =
			rest_of(profile, &profile->samples[i]);

		if (rest.user || rest.kernel)
			ARRAY_ADD(all.array, all.nr,
				  walk(profile, &rest, has_programs));
	}
	walk_nowhere(&all, "[outside]", profile->head.outside);
	walk_nowhere(&all, "[lost]", profile->head.lost);
	return all;
}

static void free_all(struct all_walked *all)
{
	for (size_t i = 0; i < all->nr; i++)
		for (int j = 0; j < all->array[i].nr; j++)
			free(all->array[i].labels[j]);
	free(all->array);
}

/* Deep stacks of few functions, which call themselves and each other */
static void add_recursion(struct profile *profile)
{
	struct profile_stack stack = { .parent = PROFILE_NONE };
	uint32_t few = lesser(profile->nr_places, 6);

	stack.program = random_below(profile->nr_programs);
	for (int i = 0; few && i < 40; i++) {
		stack.place = random_below(few);
		stack.user = random_below(5);
		stack.kernel = random_below(3);
		random_stack(profile, &stack);
	}
}

static void make_profile(struct profile *profile)
{
	random_profile(profile);
	add_recursion(profile);
	profil_profile_sort(profile);
}

/* Lines of text, each a path with its samples */
struct lines {
	char **array;
	size_t nr;
};

/* A line of labels @from to @to, neighbours that are equal one label */
static void add_line(struct lines *lines, char *const *labels, int from, int to,
		     bool are_joined, double samples, double kernel)
{
	int by = from <= to ? 1 : -1;
	char *text;
	size_t size;
	FILE *out;

	if (!samples)
		return;
	out = profil_memory_stream(&text, &size);
	for (int i = from; i != to + by; i += by)
		if (i == from || !are_joined ||
		    strcmp(labels[i], labels[i - by]))
			fprintf(out, "%s;", labels[i]);
	fprintf(out, "\t%.0f %.0f", samples, kernel);
	profil_memory_stream_end(out);
	ARRAY_ADD(lines->array, lines->nr, text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Add up the second line, of the same path, whose numbers are behind a tab. */
static bool joins(char **line, const char *other)
{
	size_t length = strrchr(*line, '\t') - *line + 1;
	uint64_t samples, kernel;
	char *end;

	if (strncmp(*line, other, length))
		return false;
	samples = strtoull(*line + length, &end, 10);
	kernel = strtoull(end, NULL, 10);
	samples += strtoull(other + length, &end, 10);
	kernel += strtoull(end, NULL, 10);
	end = *line;
	*line = profil_format("%.*s%" PRIu64 " %" PRIu64, (int)length, end,
			      samples, kernel);
	free(end);
	return true;
}

static void sort_lines(struct lines *lines)
{
	size_t nr = 0;

	ARRAY_SORT(lines->array, lines->nr, by_text);
	for (size_t i = 0; i < lines->nr; i++)
		if (nr && joins(&lines->array[nr - 1], lines->array[i]))
			free(lines->array[i]);
		else
			lines->array[nr++] = lines->array[i];
	lines->nr = nr;
}

/* The paths of the nodes with samples of their own */
static struct lines lines_of(const struct profile *profile,
			     const struct tree *tree)
{
	struct lines lines = { 0 };

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		char *labels[DEEPEST];
		int nr = 0;

		for (uint32_t at = i; at != PROFILE_NONE;
		     at = tree->nodes[at].parent)
			labels[nr++] = label_at(profile, tree, at);
		add_line(&lines, labels, nr - 1, 0, false, node->self,
			 node->kernel);
		while (nr)
			free(labels[--nr]);
	}
	return lines;
}

static void free_lines(struct lines *lines)
{
	for (size_t i = 0; i < lines->nr; i++)
		free(lines->array[i]);
	free(lines->array);
}

/* Lines of a tree are unique. @expected is sorted, and both are freed. */
static bool are_same(struct lines expected, struct lines seen)
{
	sort_lines(&expected);
	ARRAY_SORT(seen.array, seen.nr, by_text);
	for (size_t i = 0; i < expected.nr && i < seen.nr; i++) {
		if (!strcmp(expected.array[i], seen.array[i]))
			continue;
		tap_note("expected: %s", expected.array[i]);
		tap_note("but there is: %s", seen.array[i]);
		return false;
	}
	CHECK_EQUAL(expected.nr, seen.nr);
	free_lines(&expected);
	free_lines(&seen);
	return true;
}

static bool has_paths(const struct profile *profile, bool programs)
{
	struct all_walked all = walk_all(profile, programs);
	struct lines expected = { 0 };
	struct tree tree;

	profil_tree_read(&tree, profile, programs, profil_copy_string);
	for (size_t i = 0; i < all.nr; i++)
		add_line(&expected, all.array[i].labels, 0, all.array[i].nr - 1,
			 false, all.array[i].samples, all.array[i].kernel);
	CHECK(are_same(expected, lines_of(profile, &tree)));
	CHECK_EQUAL(profil_profile_total(profile), tree.total);
	profil_tree_free(&tree);
	free_all(&all);
	return true;
}

TEST("a tree has the stacks of all samples")
{
	struct profile profile;

	for (; cases_tried < CASES; cases_tried++) {
		make_profile(&profile);
		CHECK(has_paths(&profile, false));
		CHECK(has_paths(&profile, true));
		profil_profile_free(&profile);
	}
	return true;
}

static int outermost(const struct walked *walked, const char *label)
{
	for (int i = 0; i < walked->nr; i++)
		if (!strcmp(walked->labels[i], label))
			return i;
	return -1;
}

static bool has_totals(const struct all_walked *all,
		       const struct tree_name *name, const char *label)
{
	uint64_t self = 0, kernel = 0, total = 0;

	for (size_t i = 0; i < all->nr; i++) {
		const struct walked *walked = &all->array[i];

		if (!strcmp(walked->labels[walked->nr - 1], label)) {
			self += walked->samples;
			kernel += walked->kernel;
		}
		if (outermost(walked, label) >= 0)
			total += walked->samples;
	}
	CHECK_EQUAL(self, name->self);
	CHECK_EQUAL(kernel, name->kernel);
	CHECK_EQUAL(total, name->total);
	return true;
}

static bool names_have_totals(const struct profile *profile, bool programs)
{
	struct all_walked all = walk_all(profile, programs);
	struct tree tree;

	profil_tree_read(&tree, profile, programs, profil_copy_string);
	for (uint32_t i = 0; i < tree.nr_names; i++) {
		char *label = label_of_name(profile, &tree.names[i]);

		CHECK(has_totals(&all, &tree.names[i], label));
		free(label);
	}
	profil_tree_free(&tree);
	free_all(&all);
	return true;
}

TEST("a function counts once for each sample with it on the stack")
{
	struct profile profile;

	for (; cases_tried < CASES; cases_tried++) {
		make_profile(&profile);
		CHECK(names_have_totals(&profile, false));
		CHECK(names_have_totals(&profile, true));
		profil_profile_free(&profile);
	}
	return true;
}

TEST("samples in functions are all samples")
{
	for (; cases_tried < CASES; cases_tried++) {
		double nodes = 0, names = 0, roots = 0;
		struct profile profile;
		struct tree tree;

		make_profile(&profile);
		profil_tree_read(&tree, &profile, true, profil_copy_string);
		for (uint32_t i = 0; i < tree.nr_nodes; i++) {
			nodes += tree.nodes[i].self;
			if (tree.nodes[i].parent == PROFILE_NONE)
				roots += tree.nodes[i].total;
		}
		for (uint32_t i = 0; i < tree.nr_names; i++)
			names += tree.names[i].self;
		CHECK_EQUAL(profil_profile_total(&profile), nodes);
		CHECK_EQUAL(profil_profile_total(&profile), names);
		CHECK_EQUAL(profil_profile_total(&profile), roots);
		profil_tree_free(&tree);
		profil_profile_free(&profile);
	}
	return true;
}

/* The paths from the outermost call of @label to its callers, or to what it has called */
static struct lines lines_from(const struct all_walked *all, const char *label,
			       bool are_callers)
{
	struct lines lines = { 0 };

	for (size_t i = 0; i < all->nr; i++) {
		const struct walked *walked = &all->array[i];
		int at = outermost(walked, label);

		if (at < 0)
			continue;
		add_line(&lines, walked->labels, at,
			 are_callers ? 0 : walked->nr - 1, true,
			 walked->samples, are_callers ? 0 : walked->kernel);
	}
	return lines;
}

static bool has_both_sides(const struct profile *profile,
			   const struct all_walked *all,
			   const struct tree *tree, uint32_t name)
{
	char *label = label_of_name(profile, &tree->names[name]);
	struct tree callers, callees;

	profil_tree_callers(&callers, tree, name);
	profil_tree_callees(&callees, tree, name);
	CHECK_EQUAL(name, callers.nodes[0].name);
	CHECK_EQUAL(name, callees.nodes[0].name);
	CHECK_EQUAL(tree->names[name].total, callers.nodes[0].total);
	CHECK_EQUAL(tree->names[name].total, callees.nodes[0].total);
	CHECK(are_same(lines_from(all, label, true),
		       lines_of(profile, &callers)));
	CHECK(are_same(lines_from(all, label, false),
		       lines_of(profile, &callees)));
	profil_tree_free(&callers);
	profil_tree_free(&callees);
	free(label);
	return true;
}

TEST("a function has its callers on one side, what it calls on the other")
{
	for (; cases_tried < CASES; cases_tried++) {
		struct all_walked all;
		struct profile profile;
		struct tree tree;

		make_profile(&profile);
		all = walk_all(&profile, true);
		profil_tree_read(&tree, &profile, true, profil_copy_string);
		for (uint32_t i = 0; i < tree.nr_names; i++)
			CHECK(has_both_sides(&profile, &all, &tree, i));
		profil_tree_free(&tree);
		free_all(&all);
		profil_profile_free(&profile);
	}
	return true;
}

/* The stack @index, from its node on to the outermost one */
static bool has_its_node(const struct profile *profile, const struct tree *tree,
			 uint32_t index)
{
	struct walked walked = walk(profile, &profile->stacks[index], false);
	uint32_t node = tree->node_of[index];

	while (walked.nr) {
		uint32_t parent = tree->nodes[node].parent;
		char *label = label_at(profile, tree, node);

		CHECK(!strcmp(label, walked.labels[--walked.nr]));
		CHECK(parent == PROFILE_NONE || parent < node);
		free(walked.labels[walked.nr]);
		free(label);
		node = parent;
	}
	CHECK_EQUAL(PROFILE_NONE, node);
	return true;
}

TEST("each stack has the node of its last function")
{
	for (; cases_tried < CASES; cases_tried++) {
		struct profile profile;
		struct tree tree;

		make_profile(&profile);
		profil_tree_read(&tree, &profile, false, profil_copy_string);
		for (uint32_t i = 0; i < profile.nr_stacks; i++)
			CHECK(has_its_node(&profile, &tree, i));
		profil_tree_free(&tree);
		profil_profile_free(&profile);
	}
	return true;
}
