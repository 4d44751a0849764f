/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Leaves: samples with the places that have called. Each sample of a profile is in one of
 * them. Those of recordings of callers have the stack of the recording. Others have no
 * caller.
 *
 * Call trees: the stacks of a profile with a level for each function, those that call one
 * function, and those that it calls
 */
#ifndef PROFIL_PROFILE_TREE_H
#define PROFIL_PROFILE_TREE_H

#include "profile/profile.h"

/*
 * All samples of a profile, first those with callers: stacks, of which each has the @end
 * of its outermost caller
 */
struct leaves {
	struct profile_stack *array;
	uint32_t nr;
};

/* Without stacks in @profile, they are its samples, in their order. */
void profil_leaves_make(struct leaves *leaves, const struct profile *profile);
void profil_leaves_free(struct leaves *leaves);

/* A place of samples, or of a caller of samples, in a program */
struct place_use {
	uint32_t program;
	uint32_t place;
};

/* Those of @leaves, of their samples first, in an array to be freed */
struct place_use *profil_leaves_uses(const struct leaves *leaves,
				     const struct profile *profile,
				     uint32_t *nr);

/*
 * What stacks with a step by a frame pointer are below: callers may be wrong, also those
 * nearer than the step
 */
#define TREE_BY_RBP "[by frame pointers]"

/* Samples of a stack and of all that it has called, and those in kernel mode */
struct stack_sum {
	uint64_t samples;
	uint64_t kernel;
};

/* That of each stack, to be freed */
struct stack_sum *profil_stack_sums(const struct profile *profile);

/*
 * Places of @leaf from that of the samples to the outermost caller, and their number, in
 * an array to be freed
 */
uint32_t *profil_leaf_places(const struct profile *profile,
			     const struct profile_stack *leaf, uint32_t *nr);

/* Kinds of code, which the script of a page has in this order */
enum code_kind {
	CODE_OWN,
	CODE_SYSTEM,
	CODE_KERNEL,
	CODE_GENERATED,
	CODE_NONE
};

/**
 * struct tree_node - a function with these callers
 * @parent: index of the node of its caller, which is a lower one; PROFILE_NONE: outermost
 * @name: index of its name
 * @self: samples in the function itself, with these callers. In a tree of callers, samples
 *	whose stack begins here
 * @kernel: part of @self in kernel mode; 0 in a tree of callers
 * @total: @self, and those of all nodes below
 */
struct tree_node {
	uint32_t parent;
	uint32_t name;
	double self;
	double kernel;
	double total;
};

/**
 * struct tree_name - what a node is: a function, which may be an inlined one; code in no
 *	function; a program; or samples in no place, as [outside]
 * @object: index of the object; PROFILE_NONE for programs and samples in no place
 * @function: index of the function, or PROFILE_NONE
 * @program: index of the program, for programs; otherwise PROFILE_NONE
 * @text: printable
 * @is_own: code of the user, as of profil_code_is_own()
 * @kind: that of its object; CODE_NONE without one
 * @self: samples in the function itself
 * @kernel: part of @self in kernel mode
 * @total: samples with the function on the stack, each once
 */
struct tree_name {
	uint32_t object;
	uint32_t function;
	uint32_t program;
	char *text;
	bool is_own;
	enum code_kind kind;
	double self;
	double kernel;
	double total;
};

/**
 * struct tree - a call tree
 * @nodes: @nr_nodes of them; no two have one parent and one name
 * @nr_nodes: number of nodes
 * @names: @nr_names of them; no two are of one function; those of code outside of files
 *	are one for all processes of a program. A tree of callers or callees has those of the
 *	whole tree
 * @nr_names: number of names
 * @node_of: of each stack of the profile, the node of its last, innermost function; NULL
 *	in a tree of callers or callees
 * @total: samples that are 100 %
 * @levels: of each node, the number of its callers that have its name; private
 * @is_part: the tree is one of callers or callees; private
 */
struct tree {
	struct tree_node *nodes;
	uint32_t nr_nodes;
	struct tree_name *names;
	uint32_t nr_names;
	uint32_t *node_of;
	uint32_t *levels;
	double total;
	bool is_part;
};

/*
 * Make the tree of all samples of @profile. Those in no stack are in functions without
 * callers; those in no place are outermost nodes, too. Samples in kernel mode are in the
 * function that entered the kernel, or in functions of the kernel if @profile has these.
 * With @programs, a program is the caller of the first function of its stacks. @printable
 * copies a name as printable text.
 * Callers that were found by a frame pointer have one more caller, which says so.
 */
void profil_tree_read(struct tree *tree, const struct profile *profile,
		      bool programs, char *(*printable)(const char *text));

/*
 * Make the tree of the callers of @name: node 0 is that name, and the children of a node
 * are its callers. Where a function has called itself, the callers of the first, outermost
 * call count; a function that calls itself directly is one node. @tree must stay.
 */
void profil_tree_callers(struct tree *callers, const struct tree *tree,
			 uint32_t name);

/*
 * Make the tree of what @name calls: node 0 is that name. Of nested calls, those of the
 * outermost one count; a function that calls itself directly is one node. @tree must stay.
 */
void profil_tree_callees(struct tree *callees, const struct tree *tree,
			 uint32_t name);

/*
 * Code of the user: neither its file nor its source is one of the system. Code that any
 * program generated is the user's.
 */
bool profil_code_is_own(const struct profile *profile, uint32_t object,
			uint32_t function);

void profil_tree_free(struct tree *tree);

#endif
