/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Discriminators of LLVM
 *
 * A discriminator has three numbers, the lowest bits first: the base
 * discriminator, the number of copies of the code, and an identifier. A number
 * is 1 bit for 0, 7 bits for 1 to 31, and 14 bits up to 4095.
 */
#ifndef PROFIL_SOURCE_TREE_H
#define PROFIL_SOURCE_TREE_H

#include <stdint.h>

#include "profile/profile.h"

/**
 * enum discriminators - meaning of the discriminators of a profile
 * @DISCRIMINATORS_IGNORED: none; all code of a line counts as one
 * @DISCRIMINATORS_LLVM: as encoded by LLVM: number of a block of the line, and
 *	number of copies of the code that an unrolled loop has
 */
enum discriminators { DISCRIMINATORS_IGNORED, DISCRIMINATORS_LLVM };

/**
 * struct source_position - position in a function
 * @line: line from that of the declaration on, modulo 65536
 * @discriminator: number of a block of the line, or 0
 */
struct source_position {
	uint32_t line;
	uint32_t discriminator;
};

/**
 * struct source_line - samples of a position
 * @position: the position
 * @samples: samples of the instruction of the position that has most
 */
struct source_line {
	struct source_position position;
	uint64_t samples;
};

/**
 * struct source_function - samples of a function, or of an inlined call
 * @position: position of the call in the calling function, if inlined
 * @name: name of the linker without suffixes
 * @total: sum of the samples of all lines and calls
 * @head: samples of the first instruction; 0 if inlined
 * @lines: lines with samples, @nr_lines elements, ascending
 * @nr_lines: number of lines
 * @calls: inlined calls with samples, @nr_calls elements, ascending
 * @nr_calls: number of calls
 */
struct source_function {
	struct source_position position;
	const char *name;
	uint64_t total;
	uint64_t head;
	struct source_line *lines;
	uint32_t nr_lines;
	struct source_function *calls;
	uint32_t nr_calls;
};

/**
 * struct source_tree - samples of a profile
 * @functions: @nr_functions elements, ascending by name
 * @nr_functions: number of functions
 * @samples: samples of the profile that are counted in the tree
 * @names: names of the profile's functions, @nr_names elements
 * @nr_names: number of names
 */
struct source_tree {
	struct source_function *functions;
	uint32_t nr_functions;
	uint64_t samples;
	char **names;
	uint32_t nr_names;
};

/*
 * Make the tree of the samples in user mode that have a function and a line.
 * Time in the kernel says nothing about how often a line is executed.
 */
void profil_source_tree_make(struct source_tree *tree,
			     const struct profile *profile,
			     enum discriminators discriminators);
void profil_source_tree_free(struct source_tree *tree);

/* Number of samples that the tree of @profile has */
uint64_t profil_source_tree_samples(const struct profile *profile,
				    enum discriminators discriminators);

#endif
