// SPDX-License-Identifier: GPL-2.0-only
/* Branches of a call tree. A stack may have any depth: nothing here calls itself. */
#include "print/branches.h"
#include "util/text.h"

/* Upper limit of the lines that are shown, unless each has 5 % of the samples */
#define TREE_ROWS 60

/* Levels that are drawn; a deeper one is a number. */
#define DRAWN 10

static double percent(const struct branches *branches, double samples)
{
	return branches->whole ? 100 * (samples / branches->whole) : 0;
}

static bool is_below(const struct branches *branches, double samples)
{
	return percent(branches, samples) < branches->limit;
}

/* A branch that may as well be no part of the program's time */
static bool is_vague(const struct branches *branches, double samples)
{
	double all = branches->tree->total;

	return branches->by_error && samples < branches->whole &&
	       100 * samples / all <= share_error(samples, all);
}

static void count_cut(struct branches *branches, double samples)
{
	branches->cut++;
	branches->cut_samples += samples;
	branches->vague += !is_below(branches, samples);
}

/* Find the nodes that are shown, and what is cut; a caller comes before its callees. */
static void choose_nodes(struct branches *branches, bool *is_shown)
{
	const struct tree *tree = branches->tree;

	branches->nr = 0;
	branches->cut = 0;
	branches->cut_samples = 0;
	branches->vague = 0;
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		is_shown[i] = false;
		if (!node->total ||
		    (node->parent != PROFILE_NONE && !is_shown[node->parent]))
			continue;
		is_shown[i] = !is_below(branches, node->total) &&
			      !is_vague(branches, node->total);
		branches->nr += is_shown[i];
		if (!is_shown[i])
			count_cut(branches, node->total);
	}
}

/* The limit that leaves few lines, unless the user has set one */
static void find_limit(struct branches *branches, const struct flat *flat,
		       bool *is_shown)
{
	const double *limit = profil_flat_limits;

	branches->by_error = !flat->limit && !flat->all;
	branches->limit = flat->all ? 0 : flat->limit ?: *limit;
	choose_nodes(branches, is_shown);
	while (branches->by_error && branches->nr > TREE_ROWS && *++limit) {
		branches->limit = *limit;
		choose_nodes(branches, is_shown);
	}
}

/* The callees of a caller follow each other, the largest first. */
static int by_caller(const void *a, const void *b, void *data)
{
	const struct tree *tree = data;
	const struct tree_node *one = &tree->nodes[*(const uint32_t *)a];
	const struct tree_node *other = &tree->nodes[*(const uint32_t *)b];

	return compare_numbers(one->parent, other->parent)     ?:
		       compare_reals(other->total, one->total) ?:
		       strcmp(tree->names[one->name].text,
			      tree->names[other->name].text)   ?:
		       compare_numbers(one->name, other->name);
}

/*
 * A walk through the nodes that are shown
 * @order: their indices, by caller
 * @nr_order: their number
 * @first: of each node, place in @order of its first callee, or PROFILE_NONE
 * @waiting: lines whose turn comes, the next one last
 */
struct walk {
	struct branches *branches;
	uint32_t *order;
	uint32_t nr_order;
	uint32_t *first;
	struct branch *waiting;
	size_t nr_waiting;
};

static uint32_t caller_of(const struct walk *walk, uint32_t place)
{
	return walk->branches->tree->nodes[walk->order[place]].parent;
}

static void read_order(struct walk *walk, const bool *is_shown)
{
	const struct tree *tree = walk->branches->tree;

	walk->order = profil_indices(tree->nr_nodes);
	walk->first = profil_indices(tree->nr_nodes);
	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		if (is_shown[i])
			walk->order[walk->nr_order++] = i;
	if (walk->nr_order)
		qsort_r(walk->order, walk->nr_order, sizeof(*walk->order),
			by_caller, (void *)tree);
	for (uint32_t i = walk->nr_order; i-- > 0;)
		if (caller_of(walk, i) != PROFILE_NONE)
			walk->first[caller_of(walk, i)] = i;
}

/* Let the callees from @first on wait; @parent is that of the line of their caller. */
static void add_callees(struct walk *walk, uint32_t first,
			const struct branch *parent, bool is_fan)
{
	uint32_t end = first + 1;
	bool is_one_of;

	while (end < walk->nr_order &&
	       caller_of(walk, end) == caller_of(walk, first))
		end++;
	is_one_of = is_fan || end - first > 1;
	for (uint32_t i = end; i-- > first;) {
		struct branch branch = {
			.node = walk->order[i],
			.level = parent->level + is_one_of,
			.open = parent->open,
			.is_one_of = is_one_of,
			.is_last = i + 1 == end,
		};

		if (is_one_of && !branch.is_last && parent->level < DRAWN)
			branch.open |= 1U << parent->level;
		ARRAY_ADD(walk->waiting, walk->nr_waiting, branch);
	}
}

/* Nodes without a caller are the last in the order. */
static void add_outermost(struct walk *walk)
{
	struct branch nothing = { 0 };
	uint32_t first = walk->nr_order;

	while (first && caller_of(walk, first - 1) == PROFILE_NONE)
		first--;
	if (first < walk->nr_order)
		add_callees(walk, first, &nothing, false);
}

static void walk_nodes(struct walk *walk, bool is_fan)
{
	struct branches *branches = walk->branches;

	add_outermost(walk);
	while (walk->nr_waiting) {
		struct branch branch = walk->waiting[--walk->nr_waiting];
		uint32_t first = walk->first[branch.node];

		ARRAY_ADD(branches->array, branches->nr, branch);
		if (first != PROFILE_NONE)
			add_callees(walk, first, &branch,
				    is_fan && !branch.node);
	}
}

void profil_branches_read(struct branches *branches, const struct tree *tree,
			  const struct flat *flat, double whole, bool is_fan)
{
	bool *is_shown = profil_grow(NULL, tree->nr_nodes + 1ULL, 1);
	struct walk walk = { .branches = branches };

	*branches = (struct branches){ .tree = tree, .whole = whole };
	find_limit(branches, flat, is_shown);
	read_order(&walk, is_shown);
	branches->nr = 0;
	walk_nodes(&walk, is_fan);
	free(walk.order);
	free(walk.first);
	free(walk.waiting);
	free(is_shown);
}

void profil_branches_free(struct branches *branches)
{
	free(branches->array);
}

static const char *sign_of(const struct branch *branch, uint32_t level,
			   bool is_upwards)
{
	if (!branch->is_one_of || level + 1 != branch->level)
		return branch->open & 1U << level ?
			       profil_text_sign("│ ", "| ") :
			       "  ";
	if (!branch->is_last)
		return profil_text_sign("├ ", "|-");
	return is_upwards ? profil_text_sign("┌ ", ",-") :
			    profil_text_sign("└ ", "`-");
}

char *profil_branch_guide(const struct branch *branch, bool is_upwards)
{
	char *guide;
	FILE *text = profil_memory_stream(&guide, NULL);

	for (uint32_t i = 0; i < branch->level && i < DRAWN; i++)
		fputs(sign_of(branch, i, is_upwards), text);
	if (branch->level > DRAWN)
		fprintf(text, "[%u] ", branch->level);
	profil_memory_stream_end(text);
	return guide;
}

char *profil_branches_note(const struct branches *branches)
{
	return profil_format("%zu branch%s below %g %%%s (-a: all)",
			     branches->cut, branches->cut == 1 ? "" : "es",
			     branches->limit,
			     branches->vague ? " or the error" : "");
}
