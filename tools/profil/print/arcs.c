// SPDX-License-Identifier: GPL-2.0-only
/* The calls that a gmon.out has counted, by function, with its callers and callees */
#include "print/arcs.h"
#include "print/json.h"
#include "print/view.h"
#include "util/output.h"
#include "util/text.h"

/* Calls of one function by another, by the function that is looked for first */
struct arc {
	uint64_t function;
	uint32_t other;
	uint64_t count;
};

/*
 * Arcs of a profile
 * @callers: by the function that is called, @nr of them
 * @callees: by the function that calls, @nr of them
 * @names: of each function, and of PROFILE_NONE at the end; as those of a tree
 * @calls: of each function, and 0 at the end
 * @samples: of each function, in parts of @profile->unit
 * @rows: a row for each line that is not empty; there is room for all
 */
struct arcs {
	const struct profile *profile;
	struct arc *callers;
	struct arc *callees;
	size_t nr;
	struct tree_name *names;
	uint64_t *calls;
	uint64_t *samples;
	struct rows rows;
	struct view view;
};

/* Weight of a function with calls alone, which is less than a part of a sample */
#define CALLS_ALONE 0.0000001

uint32_t *profil_arcs_find(const struct profile *profile, const char *name,
			   const regex_t *object, uint32_t *nr)
{
	uint64_t *samples = profil_profile_samples(profile);
	double *weights =
		profil_zeros(profile->nr_functions + 1ULL, sizeof(*weights));
	uint32_t *found;

	for (uint32_t i = 0; i < profile->nr_functions; i++)
		weights[i] = samples[i];
	free(samples);
	for (uint32_t i = 0; i < profile->nr_calls; i++) {
		const struct profile_call *call = &profile->calls[i];

		if (call->caller != PROFILE_NONE && !weights[call->caller])
			weights[call->caller] = CALLS_ALONE;
		if (call->callee != PROFILE_NONE && !weights[call->callee])
			weights[call->callee] = CALLS_ALONE;
	}
	found = profil_functions_find(profile, weights, name, object, nr);
	free(weights);
	return found;
}

static int by_functions(const void *a, const void *b)
{
	const struct arc *one = a, *other = b;

	return compare_numbers(one->function, other->function) ?:
		       compare_numbers(one->other, other->other);
}

static void add_count(void *to, const void *from)
{
	((struct arc *)to)->count += ((const struct arc *)from)->count;
}

/* A function outside of the program is behind all others. */
static uint32_t index_of(const struct profile *profile, uint32_t function)
{
	return function == PROFILE_NONE ? profile->nr_functions : function;
}

/* Each pair of functions once, to be freed */
static struct arc *sorted(const struct profile *profile, bool by_callee,
			  size_t *nr)
{
	struct arc *arcs =
		profil_zeros(profile->nr_calls + 1ULL, sizeof(*arcs));

	for (uint32_t i = 0; i < profile->nr_calls; i++) {
		const struct profile_call *call = &profile->calls[i];
		uint32_t caller = index_of(profile, call->caller);
		uint32_t callee = index_of(profile, call->callee);

		arcs[i] = (struct arc){
			.function = by_callee ? callee : caller,
			.other = by_callee ? caller : callee,
			.count = call->count,
		};
	}
	ARRAY_SORT(arcs, profile->nr_calls, by_functions);
	*nr = ARRAY_JOIN(arcs, profile->nr_calls, by_functions, add_count);
	return arcs;
}

static void read_names(struct arcs *arcs)
{
	const struct profile *profile = arcs->profile;

	arcs->names = profil_zeros(profile->nr_functions + 1ULL,
				   sizeof(*arcs->names));
	for (uint32_t i = 0; i < profile->nr_functions; i++)
		arcs->names[i].text =
			profil_text_printable(profile->functions[i].name);
	arcs->names[profile->nr_functions].text =
		profil_copy_string("[outside]");
}

static void begin(struct arcs *arcs, const struct profile *profile,
		  uint32_t nr_functions)
{
	struct rows *rows = &arcs->rows;

	*arcs = (struct arcs){ profile };
	arcs->callers = sorted(profile, true, &arcs->nr);
	arcs->callees = sorted(profile, false, &arcs->nr);
	read_names(arcs);
	arcs->calls = profil_profile_calls(profile);
	arcs->samples = profil_profile_samples(profile);
	rows->array = profil_zeros(2 * arcs->nr + nr_functions + 1,
				   sizeof(*rows->array));
	/* A single object need not be named. */
	if (profile->nr_objects > 1)
		rows->heads[rows->nr_names++] = "object";
	rows->heads[rows->nr_names++] = "function";
	profil_view_begin_rows(&arcs->view, IN_CALLS, rows);
}

static void end(struct arcs *arcs)
{
	profil_view_end(&arcs->view);
	profil_rows_free(&arcs->rows);
	for (uint32_t i = 0; i <= arcs->profile->nr_functions; i++)
		free(arcs->names[i].text);
	free(arcs->names);
	free(arcs->callers);
	free(arcs->callees);
	free(arcs->calls);
	free(arcs->samples);
}

static char *object_of(const struct arcs *arcs, uint32_t function)
{
	const struct profile *profile = arcs->profile;
	const char *path;

	if (function == profile->nr_functions)
		return profil_copy_string("");
	path = profile->objects[profile->functions[function].object].path;
	return profil_text_printable(profil_text_base(path));
}

/*
 * A row of @function with @count calls in its @all calls; the time of a call to another
 * function is not known.
 */
static void add_row(struct arcs *arcs, uint32_t function, uint64_t count,
		    uint64_t all, double seconds, char *guide)
{
	struct rows *rows = &arcs->rows;
	struct row *row = &rows->array[rows->nr++];
	bool has_object = rows->nr_names > 1;

	*row = (struct row){
		.calls = count,
		.total = all,
		.seconds = seconds,
	};
	if (has_object)
		row->names[0] = object_of(arcs, function);
	row->names[has_object] = profil_copy_string(arcs->names[function].text);
	profil_view_add_branch(&arcs->view, row, row->names, NULL, guide);
}

/* Make a tree of @function in node 0 and what the part of @sides about it has, and lay it out. */
static void read_side(struct tree *tree, struct branches *branches,
		      const struct arcs *arcs, const struct arc *sides,
		      uint32_t function)
{
	static const struct flat all = { .all = true };
	size_t first =
		function ? ARRAY_UP_TO(sides, arcs->nr, function - 1ULL) : 0;
	struct tree_node node = { PROFILE_NONE, function, .total = 1 };

	*tree = (struct tree){ .names = arcs->names, .is_part = true };
	ARRAY_ADD(tree->nodes, tree->nr_nodes, node);
	for (; first < arcs->nr && sides[first].function == function; first++) {
		node = (struct tree_node){
			.name = sides[first].other,
			.total = sides[first].count,
		};
		ARRAY_ADD(tree->nodes, tree->nr_nodes, node);
	}
	profil_branches_read(branches, tree, &all, 1, true);
}

/* Add the function of @line with its part in all calls of @callee, or in those of itself. */
static void add_side(struct arcs *arcs, const struct branches *branches,
		     size_t line, const uint32_t *callee)
{
	const struct branch *branch = &branches->array[line];
	const struct tree_node *node = &branches->tree->nodes[branch->node];

	add_row(arcs, node->name, node->total,
		arcs->calls[callee ? *callee : node->name], NAN,
		profil_branch_guide(branch, callee));
}

/* The largest number of calls is next to the function. */
static void add_function(struct arcs *arcs, uint32_t function, double period)
{
	struct branches callers, callees;
	struct tree above, below;

	read_side(&above, &callers, arcs, arcs->callers, function);
	read_side(&below, &callees, arcs, arcs->callees, function);
	for (size_t i = callers.nr; i-- > 1;)
		add_side(arcs, &callers, i, &function);
	add_row(arcs, function, arcs->calls[function], 0,
		arcs->samples[function] * period / arcs->profile->unit,
		profil_copy_string(""));
	for (size_t i = 1; i < callees.nr; i++)
		add_side(arcs, &callees, i, NULL);
	profil_branches_free(&callers);
	profil_branches_free(&callees);
	profil_tree_free(&above);
	profil_tree_free(&below);
}

void profil_arcs_print(FILE *out, const struct profile *profile,
		       const uint32_t *functions, uint32_t nr)
{
	unsigned int rate = profile->head.rate;
	struct arcs arcs;

	begin(&arcs, profile, nr);
	for (uint32_t i = 0; i < nr; i++) {
		if (i)
			profil_view_add_note(&arcs.view, NULL, NULL, NULL);
		add_function(&arcs, functions[i], rate ? 1.0 / rate : 0);
	}
	profil_view_print(out, &arcs.view, profil_output_columns(out));
	end(&arcs);
}

/* JSON */

static void print_name(FILE *out, const struct arcs *arcs, uint32_t function)
{
	const struct profile *profile = arcs->profile;
	const struct profile_function *it = &profile->functions[function];
	bool is_outside = function == profile->nr_functions;
	const char *path = is_outside ? "" : profile->objects[it->object].path;

	fputs("{\"object\": ", out);
	profil_json_string(out, profil_text_base(path));
	fputs(", \"function\": ", out);
	profil_json_string(out, is_outside ? "[outside]" : it->name);
}

/* Print the functions that the part of @sides about @function has, those of most calls first. */
static void print_side(FILE *out, const struct arcs *arcs, const char *member,
		       const struct arc *sides, uint32_t function)
{
	struct branches branches;
	struct tree tree;

	read_side(&tree, &branches, arcs, sides, function);
	fprintf(out, ",\n     \"%s\": [", member);
	for (size_t i = 1; i < branches.nr; i++) {
		const struct tree_node *node =
			&tree.nodes[branches.array[i].node];

		fputs(i > 1 ? ",\n      " : "\n      ", out);
		print_name(out, arcs, node->name);
		fprintf(out, ", \"calls\": %.0f}", node->total);
	}
	fputs("]", out);
	profil_branches_free(&branches);
	profil_tree_free(&tree);
}

void profil_arcs_print_json(FILE *out, const struct profile *profile,
			    const uint32_t *functions, uint32_t nr)
{
	unsigned int rate = profile->head.rate;
	struct arcs arcs;

	begin(&arcs, profile, 0);
	profil_json_begin(out, profile);
	fputs("  \"functions\": [", out);
	for (uint32_t i = 0; i < nr; i++) {
		double samples =
			(double)arcs.samples[functions[i]] / profile->unit;

		fputs(i ? ",\n    " : "\n    ", out);
		print_name(out, &arcs, functions[i]);
		fprintf(out,
			", \"calls\": %" PRIu64
			", \"samples\": %.0f, \"seconds\": %.6f",
			arcs.calls[functions[i]], samples,
			rate ? samples / rate : 0);
		print_side(out, &arcs, "callers", arcs.callers, functions[i]);
		print_side(out, &arcs, "callees", arcs.callees, functions[i]);
		fputs("}", out);
	}
	fputs("\n  ],\n", out);
	profil_json_end(out, 0);
	end(&arcs);
}
