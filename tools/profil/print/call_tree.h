/* SPDX-License-Identifier: GPL-2.0-only */
/* Who calls what: the tree of all calls, and the callers and callees of one function */
#ifndef PROFIL_PRINT_CALL_TREE_H
#define PROFIL_PRINT_CALL_TREE_H

#include "print/branches.h"
#include "profile/path_tails.h"

/**
 * struct call_tree - the calls in a profile
 * @profile: the profile, which stays
 * @tree: its call tree
 * @paths: names of its files
 * @printable: copies a name as printable text
 */
struct call_tree {
	const struct profile *profile;
	struct tree tree;
	struct path_names paths;
	char *(*printable)(const char *text);
};

void profil_call_tree_read(struct call_tree *calls,
			   const struct profile *profile,
			   char *(*printable)(const char *text));
void profil_call_tree_free(struct call_tree *calls);

/*
 * Functions on a stack, as of profil_functions_find(). That of an index is the name of
 * profil_call_tree_name().
 */
uint32_t *profil_call_tree_find(const struct call_tree *calls, const char *name,
				const regex_t *object, uint32_t *nr);

/* The name of @function, an index; PROFILE_NONE if it is on no stack */
uint32_t profil_call_tree_name(const struct call_tree *calls,
			       uint32_t function);

/*
 * Nodes of a tree that are shown
 * @tree: the callers or the callees of a function, of which node 0 is; no nodes for those
 *	of the tree of all calls
 * @branches: lines of the nodes
 * @rows: a row for each line. Callers have no samples of their own, but NAN
 */
struct call_tree_part {
	struct tree tree;
	struct branches branches;
	struct rows rows;
};

/* Choose the nodes of all calls, of the callers of @name, or of what it has called. */
void profil_call_tree_all(struct call_tree_part *part,
			  const struct call_tree *calls,
			  const struct flat *flat);
void profil_call_tree_callers(struct call_tree_part *part,
			      const struct call_tree *calls, uint32_t name,
			      const struct flat *flat);
void profil_call_tree_callees(struct call_tree_part *part,
			      const struct call_tree *calls, uint32_t name,
			      const struct flat *flat);
void profil_call_tree_part_free(struct call_tree_part *part);

/* Print the tree, cut as @flat has it, and what was cut. */
void profil_call_tree_print_tree(FILE *out, const struct call_tree *calls,
				 const struct flat *flat);

/*
 * Print the function @name with its callers above, the nearest one last, and below what
 * it has called, in lines of @line characters, 0 for no limit. The number of lines between
 * the heads and the function
 */
size_t profil_call_tree_print_function(FILE *out, const struct call_tree *calls,
				       uint32_t name, const struct flat *flat,
				       size_t line);

/*
 * Print a line of the nearest callers of @function, an index, with their shares in its
 * samples; nothing without callers
 */
void profil_call_tree_print_nearest(FILE *out, const struct profile *profile,
				    uint32_t function);

#endif
