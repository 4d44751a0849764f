// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call stacks of a page: the nodes of the call tree, callers first, and their names. Nodes
 * beyond a limit are joined: those of a caller become one, with their samples.
 */
#include <math.h>

#include "html/stacks.h"
#include "print/json.h"
#include "profile/kernel.h"
#include "profile/path_tails.h"
#include "profile/tree.h"
#include "util/short_names.h"
#include "util/text.h"

/* Limit of nodes; a page with so many has 3 MB. */
#define MAX_NODES 250000

/* Characters of a name in a box */
#define NAME_WIDTH 80

/* Kinds of code, which the script has in this order */
enum kind { KIND_OWN, KIND_SYSTEM, KIND_KERNEL, KIND_GENERATED, KIND_NONE };

/* The name of a node that stands for joined ones, in place of an index */
#define JOINED PROFILE_NONE

/*
 * A node of the page
 * @caller: index of that of its caller, or PROFILE_NONE
 * @name: index in the tree, or JOINED
 */
struct page_node {
	uint32_t caller;
	uint32_t name;
	double self;
	double kernel;
};

/*
 * The nodes of a page
 * @least: samples with callees of a node that is not joined
 * @joined: samples of the joined nodes of each node of @tree, and last of those without a
 *	caller
 * @names: of each name of @tree, the index in the page, or INDEX_NONE
 */
struct page_tree {
	const struct profile *profile;
	struct tree tree;
	double least;
	double *joined;
	struct page_node *nodes;
	size_t nr_nodes;
	uint32_t *names;
	uint32_t nr_names;
};

static bool is_shown(const struct page_tree *page, uint32_t node)
{
	return node == PROFILE_NONE ||
	       (page->tree.nodes[node].total > 0 &&
		page->tree.nodes[node].total >= page->least);
}

/* Add up what is joined at @least, and return the number of nodes of the page. */
static size_t join(struct page_tree *page)
{
	const struct tree *tree = &page->tree;
	size_t nr = 0;

	memset(page->joined, 0, (tree->nr_nodes + 1ULL) * sizeof(double));
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		double *joined =
			&page->joined[lesser(node->parent, tree->nr_nodes)];

		if (is_shown(page, i)) {
			nr++;
		} else if (is_shown(page, node->parent)) {
			nr += node->total > 0 && !*joined;
			*joined += node->total;
		}
	}
	return nr;
}

static void add_node(struct page_tree *page, const uint32_t *indices,
		     uint32_t parent, struct page_node node)
{
	node.caller = parent == PROFILE_NONE ? PROFILE_NONE : indices[parent];
	if (node.name != JOINED && page->names[node.name] == INDEX_NONE)
		page->names[node.name] = page->nr_names++;
	page->nodes[page->nr_nodes++] = node;
}

static void add_nodes(struct page_tree *page)
{
	const struct tree *tree = &page->tree;
	uint32_t *indices = profil_indices(tree->nr_nodes);

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		if (!is_shown(page, i))
			continue;
		indices[i] = page->nr_nodes;
		add_node(page, indices, node->parent,
			 (struct page_node){ .name = node->name,
					     .self = node->self,
					     .kernel = node->kernel });
	}
	for (uint32_t i = 0; i <= tree->nr_nodes; i++)
		if (page->joined[i])
			add_node(page, indices,
				 i < tree->nr_nodes ? i : PROFILE_NONE,
				 (struct page_node){ .name = JOINED,
						     .self = page->joined[i] });
	free(indices);
}

static enum kind kind_of(const struct profile *profile,
			 const struct tree_name *name)
{
	const struct profile_object *object;

	if (name->object == PROFILE_NONE)
		return KIND_NONE;
	object = &profile->objects[name->object];
	if (!strcmp(object->path, PROFILE_KERNEL))
		return KIND_KERNEL;
	if (object->kind != PROFILE_FILE)
		return KIND_GENERATED;
	return name->is_own ? KIND_OWN : KIND_SYSTEM;
}

/* The objects by index, as in the table of functions */
static void print_objects(FILE *out, const struct page_tree *page)
{
	const struct profile *profile = page->profile;
	struct path_names paths;

	profil_path_names_read(&paths, profile);
	fputs("\"objects\": [", out);
	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const char *path = profile->objects[i].path;

		fputs(i ? ", " : "", out);
		path = profil_path_tail(&paths.objects, path);
		profil_json_string_cut(out, path);
	}
	fputs("],\n", out);
	profil_path_names_free(&paths);
}

/* Print a name: kind, object or -1, name, and the whole one if that is another. */
static void print_name(FILE *out, const struct page_tree *page,
		       const struct tree_name *name, const char *brief)
{
	char *text = profil_json_cut(name->text);

	fprintf(out, "[%d, %" PRId64 ", ", kind_of(page->profile, name),
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
	const struct tree *tree = &page->tree;
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
		print_name(out, page, names[i], briefs[i]);
		free(briefs[i]);
	}
	if (page->least)
		fprintf(out, ",\n[%d, -1, \"[below %.15g samples]\"]",
			KIND_NONE, page->least);
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
	for (size_t i = 0; i < page->nr_nodes; i++)
		fprintf(out, "%s%.15g", i ? "," : "", nodes[i].self);
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
			joined += page->nodes[i].self;
	fprintf(out, "\"stacks\": {\"joined\": %.15g, \"least\": %.15g,\n",
		joined, page->least);
	print_objects(out, page);
	print_names(out, page);
	print_arrays(out, page);
	print_kernel(out, page);
}

void profil_html_print_stacks(FILE *out, const struct profile *profile)
{
	struct tree_choice choice = {
		.programs = true,
		.printable = profil_text_utf8,
	};
	struct page_tree page = { .profile = profile };
	size_t nr;

	profil_tree_read(&page.tree, profile, &choice);
	page.joined = profil_zeros(page.tree.nr_nodes + 1ULL, sizeof(double));
	while ((nr = join(&page)) > MAX_NODES)
		page.least = floor(1.5 * page.least) + 2;
	page.nodes = profil_zeros(nr + 1, sizeof(*page.nodes));
	page.names = profil_indices(page.tree.nr_names);
	add_nodes(&page);
	print_tree(out, &page);
	profil_tree_free(&page.tree);
	free(page.joined);
	free(page.nodes);
	free(page.names);
}
