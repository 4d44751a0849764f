// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths: the callers of a function, of all runs, of which those are kept that have changed
 */
#include <math.h>

#include "diff/comparison.h"
#include "diff/paths.h"
#include "diff/significance.h"

/* Paths of a row by their parents and the addresses of their functions' names */
struct search {
	const struct comparison *comparison;
	struct change *row;
	struct index_map indices;
};

static uint32_t path_at(struct search *search, uint32_t parent,
			const char *function)
{
	struct change *row = search->row;
	struct index_key key = { { parent, (uintptr_t)function } };
	struct change_path path = { .parent = parent, .function = function };
	uint32_t index =
		profil_index_map_add(&search->indices, key, row->nr_paths);

	if (parent != PROFILE_NONE)
		path.depth = row->paths[parent].depth + 1;
	if (index == row->nr_paths)
		ARRAY_ADD(row->paths, row->nr_paths, path);
	return index;
}

/* The path of a node, whose parent has the path @parent; PROFILE_NONE: it is too deep. */
static uint32_t path_of(struct search *search, uint32_t parent,
			const char *function)
{
	if (parent == PROFILE_NONE ||
	    search->row->paths[parent].depth == PATH_CALLERS)
		return PROFILE_NONE;
	return path_at(search, parent, function);
}

/* Add the callers of the function @name in a run. */
static void add_callers(struct search *search, uint32_t run, uint32_t name)
{
	const struct change_run *from = &search->comparison->runs[run];
	struct tree callers;
	uint32_t *mine;

	profil_tree_callers(&callers, &from->tree, name);
	mine = profil_indices(callers.nr_nodes);
	for (uint32_t i = 0; i < callers.nr_nodes; i++) {
		const struct tree_node *node = &callers.nodes[i];

		mine[i] = i ? path_of(search, mine[node->parent],
				      from->names[node->name].function) :
			      0;
		if (mine[i] != PROFILE_NONE)
			profil_measure_add(&search->row->paths[mine[i]].total,
					   run, node->total);
	}
	free(mine);
	profil_tree_free(&callers);
}

static bool is_row(const struct change_name *name, const struct change *row)
{
	return name->object == row->object && name->function == row->function;
}

static void read_callers(struct search *search)
{
	const struct comparison *comparison = search->comparison;

	path_at(search, PROFILE_NONE, search->row->function);
	for (uint32_t run = 0; run < comparison->nr_runs; run++) {
		const struct change_run *from = &comparison->runs[run];

		for (uint32_t i = 0; i < from->tree.nr_names; i++)
			if (is_row(&from->names[i], search->row))
				add_callers(search, run, i);
	}
	for (uint32_t i = 0; i < search->row->nr_paths; i++) {
		struct measure *total = &search->row->paths[i].total;

		profil_measure_add(total, comparison->nr_runs - 1, 0);
		profil_measure_sum(comparison, total);
	}
}

/* Test the callers of the path @at. Returns the only one of all its samples, or 0. */
static uint32_t test_callers(struct search *search, uint32_t at)
{
	struct change_path *paths = search->row->paths;
	struct measure **measures =
		profil_grow(NULL, search->row->nr_paths, sizeof(*measures));
	uint32_t last = 0;
	size_t nr = 0;

	for (uint32_t i = at + 1; i < search->row->nr_paths; i++) {
		if (paths[i].parent != at)
			continue;
		measures[nr++] = &paths[i].total;
		last = i;
	}
	for (enum change_side side = 0; side < SIDES; side++)
		if (nr != 1 || paths[last].total.samples[side] !=
				       paths[at].total.samples[side])
			last = 0;
	profil_significance_test(search->comparison, measures, nr);
	free(measures);
	return last;
}

/* Follow the path @at, whose last caller of several is @end, or 0. */
static void follow(struct search *search, uint32_t at, uint32_t end)
{
	struct change *row = search->row;
	uint32_t only = test_callers(search, at);
	bool is_end = true;

	for (uint32_t i = at + 1; i < row->nr_paths; i++) {
		const struct change_path *path = &row->paths[i];

		if (path->parent != at || !path->total.is_sure)
			continue;
		is_end = false;
		follow(search, i, i == only ? end : i);
	}
	if (is_end && end)
		ARRAY_ADD(row->via, row->nr_via, end);
}

/* The only callers of a function differ from no others. */
static void add_only(struct change *row)
{
	for (uint32_t i = 1; i < row->nr_paths && !row->nr_via; i++)
		if (!row->paths[i].parent && row->paths[i].total.is_sure)
			ARRAY_ADD(row->via, row->nr_via, i);
}

static double difference(const struct change *row, size_t index)
{
	const double *amount = row->paths[row->via[index]].total.amount;

	return fabs(amount[AFTER] - amount[BEFORE]);
}

/* The paths of a row are few. */
static void sort(struct change *row)
{
	for (size_t i = 1; i < row->nr_via; i++)
		for (size_t j = i;
		     j > 0 && difference(row, j) > difference(row, j - 1);
		     j--) {
			uint32_t other = row->via[j - 1];

			row->via[j - 1] = row->via[j];
			row->via[j] = other;
		}
}

/* Keep the paths that are shown, and those in them: there may be very many others. */
static void drop_others(struct change *row)
{
	uint32_t *mine = profil_indices(row->nr_paths), nr = 0;

	mine[0] = 0;
	for (size_t i = 0; i < row->nr_via; i++)
		for (uint32_t at = row->via[i]; at; at = row->paths[at].parent)
			mine[at] = 0;
	for (uint32_t i = 0; i < row->nr_paths; i++) {
		struct change_path *path = &row->paths[i];

		if (mine[i] == INDEX_NONE) {
			free(path->total.counts);
			continue;
		}
		if (i)
			path->parent = mine[path->parent];
		mine[i] = nr;
		row->paths[nr++] = *path;
	}
	row->nr_paths = nr;
	for (size_t i = 0; i < row->nr_via; i++)
		row->via[i] = mine[row->via[i]];
	free(mine);
}

/* For views, which have the total alone */
static void set_sides(struct change_path *path)
{
	for (enum change_side side = 0; side < SIDES; side++)
		path->sides[side] = (struct row){
			.samples = NAN,
			.seconds = NAN,
			.total = path->total.samples[side],
			.error = path->total.error,
		};
}

static void find(const struct comparison *comparison, struct change *row)
{
	struct search search = { .comparison = comparison, .row = row };

	read_callers(&search);
	follow(&search, 0, 0);
	if (row->self.is_sure)
		add_only(row);
	sort(row);
	drop_others(row);
	for (size_t i = 0; i < row->nr_via; i++)
		set_sides(&row->paths[row->via[i]]);
	profil_index_map_free(&search.indices);
}

void profil_paths_find(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		struct change *row = &comparison->rows[i];

		if (row->has_total && row->total.is_sure)
			find(comparison, row);
	}
}
