// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call stacks of a page: the nodes of the call tree, callers first, and their names. Nodes
 * beyond a limit are joined: those of a caller become one, with their samples.
 */
#include <math.h>

#include "html/stacks.h"
#include "print/json.h"
#include "util/short_names.h"
#include "util/text.h"

/*
 * Limit of numbers: for each node, its name, its caller, and its samples in each recording.
 * A page of 250,000 nodes of one recording has 3 MB.
 */
#define MAX_NUMBERS 750000

/* Characters of a name in a box */
#define NAME_WIDTH 80

/* The name of a node that stands for joined ones, in place of an index */
#define JOINED PROFILE_NONE

/*
 * A node of the page
 * @caller: index of that of its caller, or PROFILE_NONE
 * @name: index in the tree, or JOINED
 * @self: samples in each run
 */
struct page_node {
	uint32_t caller;
	uint32_t name;
	const double *self;
	double kernel;
};

/*
 * The nodes of a page
 * @least: samples with callees of a node that is not joined
 * @shown: of each node of @tree, itself or its nearest caller that is shown, or the number
 *	of nodes
 * @joined: samples of the joined nodes of each node of @tree, as of @stacks->runs, and last
 *	of those without a caller
 * @names: of each name of @tree, the index in the page, or INDEX_NONE
 */
struct page_tree {
	const struct page_stacks *stacks;
	const struct tree *tree;
	double least;
	uint32_t *shown;
	double *joined;
	struct page_node *nodes;
	size_t nr_nodes;
	uint32_t *names;
	uint32_t nr_names;
};

static double sum_of(const struct page_tree *page, const double *runs)
{
	double sum = 0;

	for (uint32_t run = 0; run < page->stacks->nr_runs; run++)
		sum += runs[run];
	return sum;
}

static double *joined_of(const struct page_tree *page, uint32_t node)
{
	return &page->joined[(size_t)node * page->stacks->nr_runs];
}

static const double *self_of(const struct page_tree *page, uint32_t node)
{
	return &page->stacks->runs[(size_t)node * page->stacks->nr_runs];
}

/* Choose what is shown at @least, and add up the others. */
static void join_others(struct page_tree *page)
{
	const struct tree *tree = page->tree;
	uint32_t nr_runs = page->stacks->nr_runs;

	memset(page->joined, 0,
	       (tree->nr_nodes + 1ULL) * nr_runs * sizeof(double));
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		uint32_t parent = node->parent == PROFILE_NONE ?
					  tree->nr_nodes :
					  page->shown[node->parent];

		page->shown[i] = i;
		if (node->total > 0 && node->total >= page->least)
			continue;
		page->shown[i] = parent;
		for (uint32_t run = 0; run < nr_runs; run++)
			joined_of(page, parent)[run] += self_of(page, i)[run];
	}
}

/* The same, and the number of nodes of the page */
static size_t join(struct page_tree *page)
{
	size_t nr = 0;

	join_others(page);
	for (uint32_t i = 0; i <= page->tree->nr_nodes; i++) {
		nr += i < page->tree->nr_nodes && page->shown[i] == i;
		nr += sum_of(page, joined_of(page, i)) > 0;
	}
	return nr;
}

static void add_node(struct page_tree *page, const uint32_t *indices,
		     uint32_t parent, struct page_node node)
{
	node.caller = parent < page->tree->nr_nodes ? indices[parent] :
						      PROFILE_NONE;
	if (node.name != JOINED && page->names[node.name] == INDEX_NONE)
		page->names[node.name] = page->nr_names++;
	page->nodes[page->nr_nodes++] = node;
}

static void add_nodes(struct page_tree *page)
{
	const struct tree *tree = page->tree;
	uint32_t *indices = profil_indices(tree->nr_nodes);

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		if (page->shown[i] != i)
			continue;
		indices[i] = page->nr_nodes;
		add_node(page, indices, node->parent,
			 (struct page_node){ .name = node->name,
					     .self = self_of(page, i),
					     .kernel = node->kernel });
	}
	for (uint32_t i = 0; i <= tree->nr_nodes; i++)
		if (sum_of(page, joined_of(page, i)) > 0)
			add_node(page, indices, i,
				 (struct page_node){
					 .name = JOINED,
					 .self = joined_of(page, i) });
	free(indices);
}

static void print_objects(FILE *out, const struct page_stacks *stacks)
{
	fputs("\"objects\": [", out);
	for (uint32_t i = 0; i < stacks->nr_objects; i++) {
		fputs(i ? ", " : "", out);
		profil_json_string_cut(out, stacks->objects[i]);
	}
	fputs("],\n", out);
}

/* Print a name: kind, object or -1, name, and the whole one if that is another. */
static void print_name(FILE *out, const struct tree_name *name,
		       const char *brief)
{
	char *text = profil_json_cut(name->text);

	fprintf(out, "[%d, %" PRId64 ", ", name->kind,
		name->object == PROFILE_NONE ? -1 : (int64_t)name->object);
	profil_json_string(out, brief);
	if (strcmp(brief, text)) {
		fputs(", ", out);
		profil_json_string(out, text);
	}
	fputs("]", out);
	free(text);
}

static void print_names(FILE *out, const struct page_tree *page)
{
	const struct tree *tree = page->tree;
	char **briefs = profil_zeros(tree->nr_names + 1ULL, sizeof(*briefs));
	const struct tree_name **names =
		profil_zeros(tree->nr_names + 1ULL, sizeof(*names));

	for (uint32_t i = 0; i < tree->nr_names; i++) {
		uint32_t at = page->names[i];

		if (at == INDEX_NONE)
			continue;
		names[at] = &tree->names[i];
		briefs[at] = profil_copy_string(names[at]->text);
	}
	profil_short_names(briefs, page->nr_names, NAME_WIDTH, "…");
	fputs("\"names\": [\n", out);
	for (uint32_t i = 0; i < page->nr_names; i++) {
		fputs(i ? ",\n" : "", out);
		print_name(out, names[i], briefs[i]);
		free(briefs[i]);
	}
	if (page->least)
		fprintf(out, ",\n[%d, -1, \"[below %.15g samples]\"]",
			CODE_NONE, page->least);
	fputs("],\n", out);
	free(briefs);
	free(names);
}

static void print_arrays(FILE *out, const struct page_tree *page)
{
	const struct page_node *nodes = page->nodes;

	fputs("\"nodes\": [", out);
	for (size_t i = 0; i < page->nr_nodes; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "",
			nodes[i].name == JOINED ? page->nr_names :
						  page->names[nodes[i].name]);
	fputs("],\n\"callers\": [", out);
	for (size_t i = 0; i < page->nr_nodes; i++)
		fprintf(out, "%s%zu", i ? "," : "",
			nodes[i].caller == PROFILE_NONE ? 0 :
							  i - nodes[i].caller);
	fputs("],\n\"self\": [", out);
	for (uint32_t run = 0; run < page->stacks->nr_runs; run++) {
		fputs(run ? ",\n[" : "[", out);
		for (size_t i = 0; i < page->nr_nodes; i++)
			fprintf(out, "%s%.15g", i ? "," : "",
				nodes[i].self[run]);
		fputs("]", out);
	}
	fputs("],\n", out);
}

/* Print the nodes with samples in kernel mode: distance from the one before, samples. */
static void print_kernel(FILE *out, const struct page_tree *page)
{
	const char *comma = "";
	size_t last = 0;

	fputs("\"kernel\": [", out);
	for (size_t i = 0; i < page->nr_nodes; i++) {
		double kernel = page->nodes[i].kernel;

		if (!kernel)
			continue;
		fprintf(out, "%s%zu,%.15g", comma, i - last, kernel);
		comma = ",";
		last = i;
	}
	fputs("]},\n", out);
}

static void print_tree(FILE *out, const struct page_tree *page)
{
	double joined = 0;

	for (size_t i = 0; i < page->nr_nodes; i++)
		if (page->nodes[i].name == JOINED)
			joined += sum_of(page, page->nodes[i].self);
	fprintf(out, "\"stacks\": {\"joined\": %.15g, \"least\": %.15g,\n",
		joined, page->least);
	print_objects(out, page->stacks);
	print_names(out, page);
	print_arrays(out, page);
	print_kernel(out, page);
}

void profil_html_print_tree(FILE *out, const struct page_stacks *stacks)
{
	struct page_tree page = { stacks, stacks->tree };
	uint32_t nr = page.tree->nr_nodes;
	size_t most = MAX_NUMBERS / (2 + stacks->nr_runs), left;

	page.shown = profil_indices(nr);
	page.joined =
		profil_zeros((nr + 1ULL) * stacks->nr_runs, sizeof(double));
	while ((left = join(&page)) > most)
		page.least = floor(1.5 * page.least) + 2;
	page.nodes = profil_zeros(left + 1, sizeof(*page.nodes));
	page.names = profil_indices(page.tree->nr_names);
	add_nodes(&page);
	print_tree(out, &page);
	free(page.shown);
	free(page.joined);
	free(page.nodes);
	free(page.names);
}

/* Columns of the tree: classes, titles, and heads that are not the classes */
static const char heads[] = {
	"\"heads\": [[\"self\", \"\", \"total\"], [\"±\"], [\"seconds\", \"\", \"self\"]],"
};

/* Print the kinds of code, those with samples with their shares. */
static void print_kinds(FILE *out, const struct tree *tree)
{
	static const char *const kinds[] = {
		[CODE_OWN] = "own code",
		[CODE_SYSTEM] = "of the system",
		[CODE_KERNEL] = "kernel",
		[CODE_GENERATED] = "generated code",
		[CODE_NONE] = "in no function",
	};
	double samples[CODE_NONE + 1] = { 0 };

	for (uint32_t i = 0; i < tree->nr_names; i++) {
		const struct tree_name *name = &tree->names[i];

		samples[name->kind] += name->self - name->kernel;
		samples[CODE_KERNEL] += name->kernel;
	}
	for (int i = 0; i <= CODE_NONE; i++) {
		fprintf(out, "%s[\"%s\"", i ? ", " : "\"kinds\": [", kinds[i]);
		if (samples[i] > 0 && tree->total > 0)
			fprintf(out, ", \"%.1f %%\"",
				100 * samples[i] / tree->total);
		fputs("]", out);
	}
	fprintf(out, "],\n%s\n", heads);
}

void profil_html_print_stacks(FILE *out, const struct profile *profile)
{
	struct page_stacks stacks = { .nr_runs = 1 };
	struct path_names paths;
	struct tree tree;
	double *self = NULL;

	profil_tree_read(&tree, profile, true, profil_text_utf8);
	profil_path_names_read(&paths, profile);
	self = profil_zeros(tree.nr_nodes + 1ULL, sizeof(*self));
	for (uint32_t i = 0; i < tree.nr_nodes; i++)
		self[i] = tree.nodes[i].self;
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		ARRAY_ADD(stacks.objects, stacks.nr_objects,
			  profil_path_tail(&paths.objects,
					   profile->objects[i].path));
	stacks.tree = &tree;
	stacks.runs = self;
	print_kinds(out, &tree);
	profil_html_print_tree(out, &stacks);
	free(stacks.objects);
	free(self);
	profil_path_names_free(&paths);
	profil_tree_free(&tree);
}
