// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as a page: the rows, and one call tree with the samples of each recording */
#include <math.h>

#include "diff/comparison.h"
#include "diff/page.h"
#include "diff/table.h"
#include "html/print.h"
#include "html/stacks.h"
#include "print/json.h"
#include "util/text.h"

/* What an index is of, in the keys of struct merging */
enum { OF_OBJECT, OF_NAME, OF_NODE };

/*
 * The trees of all recordings while they become one
 * @indices: of the objects, names and nodes, by what they are
 * @runs: samples as of struct page_stacks
 * @nr: number of these
 */
struct merging {
	const struct comparison *comparison;
	struct page_stacks stacks;
	struct tree tree;
	struct index_map indices;
	double *runs;
	size_t nr;
};

static uint32_t object_of(struct merging *merging, const char *object)
{
	struct page_stacks *stacks = &merging->stacks;
	struct index_key key = { { OF_OBJECT, (uintptr_t)object } };
	uint32_t index = profil_index_map_add(&merging->indices, key,
					      stacks->nr_objects);

	if (!*object)
		return PROFILE_NONE;
	if (index == stacks->nr_objects)
		ARRAY_ADD(stacks->objects, stacks->nr_objects, object);
	return index;
}

static uint32_t name_of(struct merging *merging, const struct change_name *name)
{
	struct tree *tree = &merging->tree;
	struct index_key key = { { OF_NAME, (uintptr_t)name->object,
				   (uintptr_t)name->function } };
	uint32_t index =
		profil_index_map_add(&merging->indices, key, tree->nr_names);
	struct tree_name added = {
		.object = object_of(merging, name->object),
		.text = (char *)name->function,
		.kind = name->kind,
	};

	if (index == tree->nr_names)
		ARRAY_ADD(tree->names, tree->nr_names, added);
	return index;
}

static uint32_t node_of(struct merging *merging, uint32_t parent, uint32_t name)
{
	struct tree *tree = &merging->tree;
	struct index_key key = { { OF_NODE, parent, name } };
	uint32_t index =
		profil_index_map_add(&merging->indices, key, tree->nr_nodes);
	struct tree_node node = { .parent = parent, .name = name };

	if (index < tree->nr_nodes)
		return index;
	ARRAY_ADD(tree->nodes, tree->nr_nodes, node);
	for (uint32_t i = 0; i < merging->comparison->nr_runs; i++)
		ARRAY_ADD(merging->runs, merging->nr, 0);
	return index;
}

static void add_run(struct merging *merging, uint32_t index)
{
	const struct change_run *run = &merging->comparison->runs[index];
	const struct tree *from = &run->tree;
	uint32_t nr_runs = merging->comparison->nr_runs;
	uint32_t *mine = profil_indices(from->nr_nodes);

	for (uint32_t i = 0; i < from->nr_nodes; i++) {
		const struct tree_node *node = &from->nodes[i];
		uint32_t parent = node->parent == PROFILE_NONE ?
					  PROFILE_NONE :
					  mine[node->parent];

		mine[i] = node_of(merging, parent,
				  name_of(merging, &run->names[node->name]));
		merging->tree.nodes[mine[i]].total += node->total;
		merging->runs[(size_t)mine[i] * nr_runs + index] += node->self;
	}
	free(mine);
}

static void print_stacks(FILE *out, const struct comparison *comparison)
{
	struct merging merging = { .comparison = comparison };
	struct page_stacks *stacks = &merging.stacks;

	for (uint32_t i = 0; i < comparison->nr_runs; i++)
		add_run(&merging, i);
	stacks->tree = &merging.tree;
	stacks->runs = merging.runs;
	stacks->nr_runs = comparison->nr_runs;
	profil_html_print_tree(out, stacks);
	profil_index_map_free(&merging.indices);
	free(stacks->objects);
	free(merging.tree.nodes);
	free(merging.tree.names);
	free(merging.runs);
}

/* Columns of the tree, and kinds of changes in place of those of code, by number */
static const char heads[] = {
	"\"heads\": [[\"change\"], [\"±\"], [\"seconds\", \"\", \"before\"], [\"seconds\", \"\", \"after\"]],\n"
	"\"kinds\": [[\"more\", \"\"], [\"less\", \"\"], [], [], [\"change within 2.58 errors\", \"· widths are means of both sides\"]],\n"
};

/*
 * Print what the script needs for errors, as of diff/significance.c: the side and the
 * exposure of each run; the exposures of both sides; the spread, and its product with the
 * factor of spread_factor(), of which 1 is the other part. A page where nothing is tested
 * has no errors.
 */
static void print_compared(FILE *out, const struct comparison *comparison)
{
	const double *exposure = comparison->exposure;
	double spread = isnan(comparison->spread) ? 0 : comparison->spread;
	double sum = 0, squares = 0;

	fputs(heads, out);
	fputs("\"compared\": {\"runs\": [", out);
	for (uint32_t i = 0; i < comparison->nr_runs; i++) {
		const struct change_run *run = &comparison->runs[i];
		double weight = run->exposure / pow(exposure[run->side], 2);

		sum += weight;
		squares += weight * run->exposure;
		fprintf(out, "%s[%d, %.15g]", i ? ", " : "", run->side,
			run->exposure);
	}
	fprintf(out,
		"], \"whole\": [%.15g, %.15g], \"spread\": %.15g, \"scale\": %.15g, ",
		exposure[BEFORE], exposure[AFTER], spread,
		spread * squares / sum);
	fprintf(out, "\"unit\": \"%s\", \"digits\": %d},\n",
		comparison->is_shares ? "%" : "s",
		comparison->is_shares ? 2 : 3);
}

static void print_head(FILE *out, const struct comparison *comparison,
		       const char *const *operands)
{
	const double *seconds = comparison->seconds;
	const uint64_t *recordings = comparison->recordings;
	double half = (seconds[BEFORE] + seconds[AFTER]) / 2;

	fputs("\"command\": [", out);
	profil_json_string_cut(out, operands[BEFORE]);
	fputs(", \"→\", ", out);
	profil_json_string_cut(out, operands[AFTER]);
	fprintf(out,
		"],\n\"origin\": \"%s: %" PRIu64 " recording%s before, %" PRIu64
		" after\",\n",
		comparison->is_shares ? "shares" : "seconds",
		recordings[BEFORE], plural(recordings[BEFORE]),
		recordings[AFTER]);
	fprintf(out, "\"samples\": %.15g,\n",
		comparison->is_shares ? 100 : half);
	fprintf(out,
		"\"facts\": [[\"CPU time before\", \"%.3f\", \"s\"], [\"after\", \"%.3f\", \"s\"],\n"
		"[\"change\", \"%+.1f\", \"%%\"],\n"
		"[\"surer than 99 %%\", \"%zu\", \"of %zu row%s tested\"]],\n",
		seconds[BEFORE], seconds[AFTER],
		100 * (seconds[AFTER] / seconds[BEFORE] - 1), comparison->sure,
		comparison->tested, plural(comparison->tested));
}

static void print_notes(FILE *out, const struct comparison *comparison)
{
	const char *notes[DIFF_NOTES];
	size_t nr = profil_diff_notes(comparison, notes);

	fputs("\"notes\": [", out);
	for (size_t i = 0; i < nr; i++) {
		fputs(i ? ", " : "", out);
		profil_json_string(out, notes[i] + strlen("note: "));
	}
	fputs("],\n", out);
}

/* No programs, code by address and source: those of a recording are in its own page. */
static const char others[] = {
	"\"programs\": {\"columns\": [], \"names\": [], \"rows\": []},\n\"strips\": [], \"sources\": []\n}\n"
};

void profil_diff_page_print(FILE *out, const struct comparison *comparison,
			    double limit, const char *const *operands)
{
	char *json;
	FILE *data = profil_memory_stream(&json, NULL);

	fputs("{\n", data);
	print_head(data, comparison, operands);
	print_compared(data, comparison);
	print_notes(data, comparison);
	if (comparison->has_totals && !isnan(comparison->spread))
		print_stacks(data, comparison);
	profil_diff_table_print_view(data, comparison, limit);
	fputs(others, data);
	profil_memory_stream_end(data);
	profil_html_print_page(out, json);
	free(json);
}
