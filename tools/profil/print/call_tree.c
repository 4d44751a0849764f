// SPDX-License-Identifier: GPL-2.0-only
/* Who calls what, as text */
#include "print/call_tree.h"
#include "print/find.h"
#include "print/heading.h"
#include "print/view.h"
#include "util/output.h"
#include "util/short_names.h"
#include "util/text.h"

void profil_call_tree_read(struct call_tree *calls,
			   const struct profile *profile,
			   char *(*printable)(const char *text))
{
	*calls = (struct call_tree){ profile, .printable = printable };
	profil_tree_read(&calls->tree, profile,
			 profil_heading_programs(profile) > 1, printable);
	profil_path_names_read(&calls->paths, profile);
}

void profil_call_tree_free(struct call_tree *calls)
{
	profil_tree_free(&calls->tree);
	profil_path_names_free(&calls->paths);
}

/* Find functions */

uint32_t profil_call_tree_name(const struct call_tree *calls, uint32_t function)
{
	for (uint32_t i = 0; i < calls->tree.nr_names; i++)
		if (calls->tree.names[i].function == function)
			return i;
	return PROFILE_NONE;
}

uint32_t *profil_call_tree_find(const struct call_tree *calls, const char *name,
				const regex_t *object, uint32_t *nr)
{
	const struct profile *profile = calls->profile;
	double *totals =
		profil_zeros(profile->nr_functions + 1ULL, sizeof(*totals));
	uint32_t *found;

	for (uint32_t i = 0; i < calls->tree.nr_names; i++) {
		const struct tree_name *it = &calls->tree.names[i];

		if (it->function != PROFILE_NONE)
			totals[it->function] = it->total;
	}
	found = profil_functions_find(profile, totals, name, object, nr);
	free(totals);
	return found;
}

/* Rows */

/* Samples in no node */
static double left_out_of(const struct profile *profile)
{
	return profile->is_through ?
		       (double)profile->left_out + profile->head.outside +
			       profile->head.lost :
		       0;
}

static void begin_rows(struct rows *rows, const struct call_tree *calls)
{
	const struct profile_head *head = &calls->profile->head;

	*rows = (struct rows){
		.heads = { "object", "function" },
		.nr_names = 2,
		.noun = "functions",
		.total = calls->tree.total,
		.left_out = left_out_of(calls->profile),
		.is_through = calls->profile->is_through,
		.has_totals = true,
		.period = head->rate ? 1.0 / head->rate : head->period_ns / 1e9,
	};
}

/* A copy; programs, and samples in no place, have none. */
static char *object_of(const struct call_tree *calls,
		       const struct tree_name *name)
{
	const struct profile_object *objects = calls->profile->objects;

	if (name->object == PROFILE_NONE)
		return profil_copy_string("");
	return calls->printable(profil_path_tail(&calls->paths.objects,
						 objects[name->object].path));
}

static void add_row(struct rows *rows, const struct call_tree *calls,
		    const struct tree_node *node)
{
	const struct tree_name *name = &calls->tree.names[node->name];
	struct row row = {
		.names = { object_of(calls, name),
			   profil_copy_string(name->text) },
		.samples = node->self,
		.kernel = node->kernel,
		.total = node->total,
		.seconds = node->self * rows->period,
		.is_kernel = name->kind == CODE_KERNEL,
	};

	ARRAY_ADD(rows->array, rows->nr, row);
}

static void read_rows(struct call_tree_part *part,
		      const struct call_tree *calls)
{
	const struct branches *branches = &part->branches;

	begin_rows(&part->rows, calls);
	part->rows.part = branches->whole;
	for (size_t i = 0; i < branches->nr; i++)
		add_row(&part->rows, calls,
			&branches->tree->nodes[branches->array[i].node]);
}

/* Choose nodes of a tree whose node 0 is a function. */
static void read_part(struct call_tree_part *part,
		      const struct call_tree *calls, const struct flat *flat)
{
	profil_branches_read(&part->branches, &part->tree, flat,
			     part->tree.nodes->total, true);
	read_rows(part, calls);
}

void profil_call_tree_all(struct call_tree_part *part,
			  const struct call_tree *calls,
			  const struct flat *flat)
{
	*part = (struct call_tree_part){ .tree = { .is_part = true } };
	profil_branches_read(&part->branches, &calls->tree, flat,
			     calls->tree.total, false);
	read_rows(part, calls);
}

void profil_call_tree_callers(struct call_tree_part *part,
			      const struct call_tree *calls, uint32_t name,
			      const struct flat *flat)
{
	profil_tree_callers(&part->tree, &calls->tree, name);
	read_part(part, calls, flat);
	for (size_t i = 0; i < part->rows.nr; i++) {
		struct row *row = &part->rows.array[i];

		row->samples = NAN;
		row->kernel = NAN;
		row->seconds = NAN;
	}
}

void profil_call_tree_callees(struct call_tree_part *part,
			      const struct call_tree *calls, uint32_t name,
			      const struct flat *flat)
{
	profil_tree_callees(&part->tree, &calls->tree, name);
	read_part(part, calls, flat);
}

void profil_call_tree_part_free(struct call_tree_part *part)
{
	profil_rows_free(&part->rows);
	profil_branches_free(&part->branches);
	profil_tree_free(&part->tree);
}

/* Lines */

static void add_branch(struct view *view, const struct row *row,
		       const struct branch *branch, bool is_upwards,
		       bool has_colours)
{
	bool is_grey = has_colours && row->total < FEW_SAMPLES;

	profil_view_add_branch(view, row, row->names, is_grey ? GREY : NULL,
			       profil_branch_guide(branch, is_upwards));
}

static void add_branches(struct view *view, const struct call_tree_part *part,
			 bool has_colours)
{
	for (size_t i = 0; i < part->rows.nr; i++)
		add_branch(view, &part->rows.array[i], &part->branches.array[i],
			   false, has_colours);
}

/* A row of @samples in several nodes; it stays as long as the view does. */
static void add_note(struct view *view, struct row *row, double samples,
		     char *note)
{
	*row = (struct row){ .samples = NAN, .kernel = NAN, .total = samples };
	profil_view_add_note(view, row, NULL, note);
}

static void add_cut(struct view *view, struct row *row,
		    const struct branches *branches)
{
	if (branches->cut)
		add_note(view, row, branches->cut_samples,
			 profil_branches_note(branches));
}

void profil_call_tree_print_tree(FILE *out, const struct call_tree *calls,
				 const struct flat *flat)
{
	struct call_tree_part all;
	struct row cut, left_out;
	struct view view;

	profil_call_tree_all(&all, calls, flat);
	profil_view_begin_rows(&view, IN_TREE, &all.rows);
	add_branches(&view, &all, profil_output_has_colours(out));
	add_cut(&view, &cut, &all.branches);
	if (all.rows.left_out)
		add_note(&view, &left_out, all.rows.left_out,
			 profil_flat_left_out(&all.rows));
	profil_view_print(out, &view, profil_output_columns(out));
	profil_view_end(&view);
	profil_call_tree_part_free(&all);
}

/*
 * The outermost callers come first. The function, in row 0, is left to the callees, which
 * have its samples.
 */
static void add_callers(struct view *view, const struct call_tree_part *callers,
			bool has_colours)
{
	for (size_t i = callers->rows.nr; i-- > 1;)
		add_branch(view, &callers->rows.array[i],
			   &callers->branches.array[i], true, has_colours);
}

size_t profil_call_tree_print_function(FILE *out, const struct call_tree *calls,
				       uint32_t name, const struct flat *flat,
				       size_t line)
{
	bool has_colours = profil_output_has_colours(out);
	struct row cut_above, cut_below, alone;
	struct call_tree_part callers, callees;
	struct view view;
	double outermost;
	size_t above;

	profil_call_tree_callers(&callers, calls, name, flat);
	profil_call_tree_callees(&callees, calls, name, flat);
	outermost = callers.tree.nodes->self;
	profil_view_begin_rows(&view, IN_CALLERS, &callees.rows);
	view.first_note = 1;
	add_cut(&view, &cut_above, &callers.branches);
	if (outermost)
		add_note(&view, &alone, outermost,
			 profil_copy_string("no caller"));
	add_callers(&view, &callers, has_colours);
	above = view.nr;
	add_branches(&view, &callees, has_colours);
	add_cut(&view, &cut_below, &callees.branches);
	profil_view_print(out, &view, line);
	profil_view_end(&view);
	profil_call_tree_part_free(&callers);
	profil_call_tree_part_free(&callees);
	return above;
}

/* Callers that are named, and the characters of each name */
#define NAMED 3
#define NAME 40

/* A share of the samples of the function, after @before */
static void print_share(FILE *out, const struct call_tree_part *callers,
			const char *before, const char *text, double samples)
{
	fprintf(out, "%s%s %.1f %%", before, text,
		100 * samples / callers->rows.part);
}

static void print_caller(FILE *out, const struct call_tree_part *callers,
			 size_t line, uint32_t named)
{
	const struct row *row = &callers->rows.array[line];
	char *name = profil_short_name(row->names[1], NAME);

	print_share(out, callers, named ? ", " : "called by ", name,
		    row->total);
	free(name);
}

/* Samples that a frame pointer has led to a farther caller */
static double marked_of(const struct call_tree_part *callers)
{
	const struct tree *tree = &callers->tree;
	double marked = 0;

	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		if (tree->nodes[i].parent &&
		    !strcmp(tree->names[tree->nodes[i].name].text, TREE_BY_RBP))
			marked += tree->nodes[i].total;
	return marked;
}

/* Print the nearest callers, what is left of the samples, and the mark of callers. */
static void print_nearest(FILE *out, const struct call_tree_part *callers)
{
	double alone = callers->tree.nodes->self;
	double others = callers->rows.part - alone;
	double marked = marked_of(callers);
	uint32_t nr = 0, named = 0;

	for (size_t i = 1; i < callers->rows.nr; i++) {
		uint32_t node = callers->branches.array[i].node;

		if (callers->tree.nodes[node].parent)
			continue;
		if (nr++ >= NAMED)
			continue;
		others -= callers->rows.array[i].total;
		print_caller(out, callers, i, named++);
	}
	if (nr > named) {
		char *text = profil_format("%u other%s", nr - named,
					   plural(nr - named));

		print_share(out, callers, ", ", text, others);
		free(text);
	}
	if (alone)
		print_share(out, callers, ", ", "no caller", alone);
	if (marked)
		print_share(out, callers, "; ", "by frame pointers", marked);
	fputc('\n', out);
}

void profil_call_tree_print_nearest(FILE *out, const struct profile *profile,
				    uint32_t function)
{
	static const struct flat all = { .all = true };
	struct call_tree_part callers;
	struct call_tree calls;
	uint32_t name;

	if (!profile->nr_stacks)
		return;
	profil_call_tree_read(&calls, profile, profil_text_printable);
	name = profil_call_tree_name(&calls, function);
	if (name != PROFILE_NONE) {
		profil_call_tree_callers(&callers, &calls, name, &all);
		if (callers.rows.nr > 1)
			print_nearest(out, &callers);
		profil_call_tree_part_free(&callers);
	}
	profil_call_tree_free(&calls);
}
