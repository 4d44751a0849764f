/* SPDX-License-Identifier: GPL-2.0-only */
/* Branches of a call tree: the nodes that are shown, in the order of their lines */
#ifndef PROFIL_PRINT_BRANCHES_H
#define PROFIL_PRINT_BRANCHES_H

#include "print/flat.h"
#include "profile/tree.h"

/**
 * struct branch - the line of a node
 * @node: its index
 * @level: branchings above the node
 * @open: bit n: more branches of the level n follow
 * @is_one_of: the node is a branch; others stand at the level of their caller
 * @is_last: no branch of the same caller follows
 */
struct branch {
	uint32_t node;
	uint32_t level;
	uint32_t open;
	bool is_one_of;
	bool is_last;
};

/**
 * struct branches - lines of a tree, each behind that of its caller
 * @tree: the tree, which stays
 * @whole: samples that shares are of
 * @limit: nodes with a smaller share, in percent, are cut
 * @by_error: those whose share in all samples is not more than its error are, too
 * @array: lines
 * @nr: number of lines
 * @cut: branches that are cut, with all that is below them
 * @cut_samples: samples in these
 * @vague: cut branches that are not below the limit
 */
struct branches {
	const struct tree *tree;
	double whole;
	double limit;
	bool by_error;
	struct branch *array;
	size_t nr;
	size_t cut;
	double cut_samples;
	size_t vague;
};

/*
 * Choose the nodes of @tree as @flat has it, by their share in @whole samples, and put the
 * largest branches of a caller first. A node without samples is not shown. The only
 * callee of a function is at the level of the function, unless @is_fan: the nodes next to
 * node 0 are branches, also a single one.
 */
void profil_branches_read(struct branches *branches, const struct tree *tree,
			  const struct flat *flat, double whole, bool is_fan);
void profil_branches_free(struct branches *branches);

/* What is in front of the name of @branch; @is_upwards: lines are in the reverse order. */
char *profil_branch_guide(const struct branch *branch, bool is_upwards);

/* Text in place of names for what was cut */
char *profil_branches_note(const struct branches *branches);

#endif
