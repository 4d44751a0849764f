// SPDX-License-Identifier: GPL-2.0-only
/* The leaves of stacks, and call trees */
#include "profile/kernel.h"
#include "profile/nesting.h"
#include "profile/path_tails.h"
#include "profile/tree.h"

/* Leaves */

/*
 * The leaves while they are made. @first: index of the first sample of each place and
 * program. @in_stacks: the part that stacks have of it and equal ones
 */
struct maker {
	const struct profile *profile;
	struct leaves *leaves;
	struct index_map first;
	struct profile_sample *in_stacks;
};

static void add_one(struct leaves *leaves, const struct profile_stack *leaf)
{
	if (profile_samples_of(&leaf->sample))
		ARRAY_ADD(leaves->array, leaves->nr, *leaf);
}

static struct index_key key_of(const struct profile_sample *sample)
{
	return (struct index_key){ { sample->place, sample->program } };
}

static void find_first(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++)
		profil_index_map_add(&maker->first,
				     key_of(&profile->samples[i]), i);
}

static void add_called(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	uint32_t *ends = profil_indices(profile->nr_stacks);

	find_first(maker);
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		struct profile_stack leaf = profile->stacks[i];
		uint32_t at = profil_index_map_find(&maker->first,
						    key_of(&leaf.sample));

		if (leaf.parent != PROFILE_NONE)
			leaf.end = ends[leaf.parent];
		ends[i] = leaf.end;
		add_one(maker->leaves, &leaf);
		if (at == INDEX_NONE)
			continue;
		maker->in_stacks[at].user += leaf.user;
		maker->in_stacks[at].kernel += leaf.kernel;
	}
	free(ends);
}

/* Take from @samples what is in @others, as far as it goes. */
static void take(uint64_t *samples, uint64_t *others)
{
	uint64_t both = lesser(*samples, *others);

	*samples -= both;
	*others -= both;
}

/* Add the samples that are in no stack: those of recordings without callers. */
static void add_rest(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_stack leaf = {
			.sample = profile->samples[i],
			.parent = PROFILE_NONE,
		};
		uint32_t first = profil_index_map_find(&maker->first,
						       key_of(&leaf.sample));

		if (first != INDEX_NONE) {
			take(&leaf.user, &maker->in_stacks[first].user);
			take(&leaf.kernel, &maker->in_stacks[first].kernel);
		}
		add_one(maker->leaves, &leaf);
	}
}

void profil_leaves_make(struct leaves *leaves, const struct profile *profile)
{
	struct maker maker = {
		.profile = profile,
		.leaves = leaves,
		.in_stacks = profil_zeros(profile->nr_samples + 1ULL,
					  sizeof(*maker.in_stacks)),
	};

	*leaves = (struct leaves){ 0 };
	if (profile->nr_stacks)
		add_called(&maker);
	add_rest(&maker);
	profil_index_map_free(&maker.first);
	free(maker.in_stacks);
}

void profil_leaves_free(struct leaves *leaves)
{
	free(leaves->array);
}

/* Stacks of callers have lower indices. */
struct stack_sum *profil_stack_sums(const struct profile *profile)
{
	struct stack_sum *sums =
		profil_zeros(profile->nr_stacks + 1ULL, sizeof(*sums));

	for (uint32_t i = profile->nr_stacks; i-- > 0;) {
		const struct profile_stack *stack = &profile->stacks[i];

		sums[i].samples += profile_samples_of(&stack->sample);
		sums[i].kernel += stack->kernel;
		if (stack->parent == PROFILE_NONE)
			continue;
		sums[stack->parent].samples += sums[i].samples;
		sums[stack->parent].kernel += sums[i].kernel;
	}
	return sums;
}

struct place_use *profil_leaves_uses(const struct leaves *leaves,
				     const struct profile *profile,
				     uint32_t *nr)
{
	struct stack_sum *sums = profil_stack_sums(profile);
	struct place_use *uses = NULL;

	*nr = 0;
	for (uint32_t i = 0; i < leaves->nr; i++) {
		const struct profile_stack *it = &leaves->array[i];

		ARRAY_ADD(uses, *nr,
			  (struct place_use){ it->program, it->place });
	}
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *it = &profile->stacks[i];

		if (sums[i].samples)
			ARRAY_ADD(uses, *nr,
				  (struct place_use){ it->program, it->place });
	}
	free(sums);
	return uses;
}

uint32_t *profil_leaf_places(const struct profile *profile,
			     const struct profile_stack *leaf, uint32_t *nr)
{
	uint32_t *places = NULL, at = leaf->parent;

	*nr = 0;
	ARRAY_ADD(places, *nr, leaf->place);
	for (; at != PROFILE_NONE; at = profile->stacks[at].parent)
		ARRAY_ADD(places, *nr, profile->stacks[at].place);
	return places;
}

/* Trees */

/*
 * A tree that grows
 * @nodes: by parent and name
 * @names: by what they stand for
 */
struct planting {
	struct tree *tree;
	const struct profile *profile;
	bool has_programs;
	char *(*printable)(const char *text);
	struct index_map nodes;
	struct index_map names;
	struct path_names paths;
};

/* What a name stands for; code outside of files has an object for each process. */
enum name_kind { OF_FILE, OF_CODE, OF_NOWHERE };

static uint32_t node_at(struct planting *planting, uint32_t parent,
			uint32_t name)
{
	struct tree *tree = planting->tree;
	struct index_key key = { { parent, name } };
	struct tree_node node = { .parent = parent, .name = name };
	uint32_t index =
		profil_index_map_add(&planting->nodes, key, tree->nr_nodes);

	if (index == tree->nr_nodes)
		ARRAY_ADD(tree->nodes, tree->nr_nodes, node);
	return index;
}

/* Index of the name of @key, which is @name with a printable @text if it is new */
static uint32_t name_at(struct planting *planting, struct index_key key,
			struct tree_name name, const char *text)
{
	struct tree *tree = planting->tree;
	uint32_t index =
		profil_index_map_add(&planting->names, key, tree->nr_names);

	if (index == tree->nr_names) {
		name.text = planting->printable(text);
		ARRAY_ADD(tree->names, tree->nr_names, name);
	}
	return index;
}

static struct index_key name_key(const struct profile *profile, uint32_t object,
				 uint32_t function)
{
	const struct profile_object *it = &profile->objects[object];
	struct index_key key = { { OF_FILE, object, function } };

	if (it->kind == PROFILE_FILE)
		return key;
	key.words[0] = OF_CODE | (uint64_t)it->kind << 32;
	key.words[1] = (uintptr_t)it->path;
	if (function != PROFILE_NONE)
		key.words[2] = (uintptr_t)profile->functions[function].name;
	return key;
}

bool profil_code_is_own(const struct profile *profile, uint32_t object,
			uint32_t function)
{
	const struct profile_object *it = &profile->objects[object];

	if (function == PROFILE_NONE)
		return false;
	return (it->kind == PROFILE_JIT ||
		!profil_path_is_of_system(it->path)) &&
	       !profil_path_is_of_system(profile->functions[function].file);
}

static enum code_kind kind_of(const struct profile_object *object, bool is_own)
{
	if (!strcmp(object->path, PROFILE_KERNEL))
		return CODE_KERNEL;
	if (object->kind != PROFILE_FILE)
		return CODE_GENERATED;
	return is_own ? CODE_OWN : CODE_SYSTEM;
}

static uint32_t name_of(struct planting *planting, uint32_t object,
			uint32_t function)
{
	const struct profile *profile = planting->profile;
	const struct profile_object *it = &profile->objects[object];
	struct index_key key = name_key(profile, object, function);
	struct tree_name name = { object, function, PROFILE_NONE };
	uint32_t index = profil_index_map_find(&planting->names, key);
	char *code;

	if (index != INDEX_NONE)
		return index;
	name.is_own = profil_code_is_own(profile, object, function);
	name.kind = kind_of(it, name.is_own);
	if (function != PROFILE_NONE)
		return name_at(planting, key, name,
			       profile->functions[function].name);
	code = profil_object_code(it);
	index = name_at(planting, key, name, code);
	free(code);
	return index;
}

/* The node of what is no code, known by the address of @unique, below the node @parent */
static uint32_t other_at(struct planting *planting, uint32_t parent,
			 const char *unique, const char *text, uint32_t program)
{
	struct index_key key = { { OF_NOWHERE, (uintptr_t)unique } };
	struct tree_name name = { PROFILE_NONE, PROFILE_NONE, program,
				  .kind = CODE_NONE };

	return node_at(planting, parent, name_at(planting, key, name, text));
}

/* The outermost node of @program, or none */
static uint32_t root_of(struct planting *planting, uint32_t program)
{
	const struct path_tails *tails = &planting->paths.programs;
	const char *path = planting->profile->programs[program].path;

	if (!planting->has_programs)
		return PROFILE_NONE;
	return other_at(planting, PROFILE_NONE, path,
			profil_path_tail(tails, path), program);
}

/* The node of the innermost function of @place, below the node @parent */
static uint32_t node_of(struct planting *planting, uint32_t parent,
			const struct profile_place *place)
{
	const struct profile_frame *frames =
		profile_frames_of(planting->profile, place);

	/* The last frame is that of the function around the place. */
	parent = node_at(planting, parent,
			 name_of(planting, place->object, place->function));
	for (uint32_t i = place->nr_frames; i > 1; i--)
		parent = node_at(planting, parent,
				 name_of(planting, place->object,
					 frames[i - 2].function));
	return parent;
}

static void add_counts(struct planting *planting, uint32_t node, uint64_t user,
		       uint64_t kernel)
{
	double unit = planting->profile->unit;

	planting->tree->nodes[node].self += (user + kernel) / unit;
	planting->tree->nodes[node].kernel += kernel / unit;
}

/* The node of the stack @caller or, without one, what the stack is below */
static uint32_t caller_of(struct planting *planting,
			  const struct profile_stack *stack)
{
	static const char by_rbp[] = TREE_BY_RBP;
	uint32_t root;

	if (stack->parent != PROFILE_NONE)
		return planting->tree->node_of[stack->parent];
	root = root_of(planting, stack->program);
	return stack->end == PROFIL_WALK_BY_RBP ?
		       other_at(planting, root, by_rbp, by_rbp, PROFILE_NONE) :
		       root;
}

static void add_stacks(struct planting *planting)
{
	const struct profile *profile = planting->profile;
	uint32_t *nodes = profil_indices(profile->nr_stacks);

	planting->tree->node_of = nodes;
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		uint32_t parent = caller_of(planting, stack);

		nodes[i] = node_of(planting, parent,
				   &profile->places[stack->place]);
	}
}

static void add_leaf(struct planting *planting,
		     const struct profile_stack *leaf)
{
	uint32_t parent = caller_of(planting, leaf);
	uint32_t node = node_of(planting, parent,
				&planting->profile->places[leaf->place]);

	add_counts(planting, node, leaf->user, leaf->kernel);
}

static void add_leaves(struct planting *planting)
{
	struct leaves leaves;

	profil_leaves_make(&leaves, planting->profile);
	for (uint32_t i = 0; i < leaves.nr; i++)
		add_leaf(planting, &leaves.array[i]);
	profil_leaves_free(&leaves);
}

/* Samples in no place */
static void add_special(struct planting *planting, const char *text,
			uint64_t samples)
{
	if (samples && !planting->profile->is_through)
		add_counts(planting,
			   other_at(planting, PROFILE_NONE, text, text,
				    PROFILE_NONE),
			   samples, 0);
}

/* Children come behind their parents. */
static void set_totals(struct tree *tree)
{
	for (uint32_t i = tree->nr_nodes; i-- > 0;) {
		struct tree_node *node = &tree->nodes[i];

		node->total += node->self;
		if (node->parent != PROFILE_NONE)
			tree->nodes[node->parent].total += node->total;
	}
}

static void find_levels(struct tree *tree)
{
	uint32_t nr = tree->nr_nodes;
	struct nested *nodes = profil_grow(NULL, nr + 1ULL, sizeof(*nodes));

	for (uint32_t i = 0; i < nr; i++)
		nodes[i] = (struct nested){ tree->nodes[i].parent,
					    tree->nodes[i].name };
	tree->levels = profil_nesting_levels(nodes, nr, tree->nr_names);
	free(nodes);
}

static void set_totals_of_names(struct tree *tree)
{
	find_levels(tree);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		struct tree_name *name = &tree->names[node->name];

		name->self += node->self;
		name->kernel += node->kernel;
		if (!tree->levels[i])
			name->total += node->total;
	}
}

void profil_tree_read(struct tree *tree, const struct profile *profile,
		      bool programs, char *(*printable)(const char *text))
{
	struct planting planting = {
		.tree = tree,
		.profile = profile,
		.has_programs = programs,
		.printable = printable,
	};

	*tree = (struct tree){
		.total = (double)profil_profile_total(profile) / profile->unit,
	};
	profil_path_names_read(&planting.paths, profile);
	add_stacks(&planting);
	add_leaves(&planting);
	add_special(&planting, "[outside]", profile->head.outside);
	add_special(&planting, "[lost]", profile->head.lost);
	set_totals(tree);
	set_totals_of_names(tree);
	profil_index_map_free(&planting.nodes);
	profil_index_map_free(&planting.names);
	profil_path_names_free(&planting.paths);
}

/* Begin a tree of some nodes of @tree, with @name as node 0. */
static void begin_part(struct planting *planting, struct tree *part,
		       const struct tree *tree, uint32_t name)
{
	*planting = (struct planting){ .tree = part };
	*part = (struct tree){
		.names = tree->names,
		.nr_names = tree->nr_names,
		.total = tree->total,
		.is_part = true,
	};
	node_at(planting, PROFILE_NONE, name);
}

/* The node of @name next to the node @at, which is @at itself for the same name */
static uint32_t step(struct planting *planting, uint32_t at, uint32_t name)
{
	if (planting->tree->nodes[at].name == name)
		return at;
	return node_at(planting, at, name);
}

/*
 * Callers that are farther away, or more, are left out: nodes of callers are as many as the
 * square of those of a tree that no recording makes
 */
#define CALLERS_DEPTH 1024
#define CALLERS_NODES 1000000

void profil_tree_callers(struct tree *callers, const struct tree *tree,
			 uint32_t name)
{
	struct planting planting;

	begin_part(&planting, callers, tree, name);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		double total = node->total;
		uint32_t at = 0;

		if (node->name != name || tree->levels[i])
			continue;
		for (int depth = 0;
		     node->parent != PROFILE_NONE && depth < CALLERS_DEPTH &&
		     callers->nr_nodes < CALLERS_NODES;
		     depth++) {
			node = &tree->nodes[node->parent];
			at = step(&planting, at, node->name);
		}
		callers->nodes[at].self += total;
	}
	set_totals(callers);
	profil_index_map_free(&planting.nodes);
}

void profil_tree_callees(struct tree *callees, const struct tree *tree,
			 uint32_t name)
{
	uint32_t *nodes = profil_indices(tree->nr_nodes);
	struct planting planting;

	begin_part(&planting, callees, tree, name);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		if (node->parent != PROFILE_NONE &&
		    nodes[node->parent] != PROFILE_NONE)
			nodes[i] = step(&planting, nodes[node->parent],
					node->name);
		else if (node->name == name)
			nodes[i] = 0;
		else
			continue;
		callees->nodes[nodes[i]].self += node->self;
		callees->nodes[nodes[i]].kernel += node->kernel;
	}
	set_totals(callees);
	profil_index_map_free(&planting.nodes);
	free(nodes);
}

void profil_tree_free(struct tree *tree)
{
	for (uint32_t i = 0; !tree->is_part && i < tree->nr_names; i++)
		free(tree->names[i].text);
	if (!tree->is_part)
		free(tree->names);
	free(tree->nodes);
	free(tree->node_of);
	free(tree->levels);
}
