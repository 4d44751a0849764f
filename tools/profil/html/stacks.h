/* SPDX-License-Identifier: GPL-2.0-only */
/* Call stacks of a page */
#ifndef PROFIL_HTML_STACKS_H
#define PROFIL_HTML_STACKS_H

#include "profile/tree.h"

/**
 * struct page_stacks - a call tree of one recording, or of several that are compared
 * @tree: the tree; in its nodes, totals are of all recordings together
 * @runs: samples of each node itself in each recording, as many numbers for a node
 * @nr_runs: number of recordings
 * @objects: what @tree names, as in the table of functions
 * @nr_objects: number of these
 */
struct page_stacks {
	const struct tree *tree;
	const double *runs;
	uint32_t nr_runs;
	const char **objects;
	uint32_t nr_objects;
};

/* Print @stacks as arrays with an element for each node. */
void profil_html_print_tree(FILE *out, const struct page_stacks *stacks);

/* Print the call tree of @profile, which has stacks, in the same way. */
void profil_html_print_stacks(FILE *out, const struct profile *profile);

#endif
