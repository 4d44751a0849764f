/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls: costs of the lines of functions, and of the calls there with all below
 *
 * A function that is inlined is one of its own, which the code around it calls. A function
 * that is on a stack twice is another function there, as callgrind names them: FUNCTION'2,
 * so that a stack counts once for each function, and what a function and its calls cost is
 * exact. Each program is a function that calls the outermost ones of its stacks; those that
 * a frame pointer has led to are called by a function in between.
 */
#ifndef PROFIL_CALLS_H
#define PROFIL_CALLS_H

#include "profile/profile.h"

/*
 * A function. @object, @file and @name: numbers of strings. @level: 1, or more within
 * itself. @address and @line: where it begins, or 0
 */
struct calls_function {
	uint32_t object;
	uint32_t file;
	uint32_t name;
	uint32_t level;
	uint64_t address;
	uint32_t line;
};

/*
 * Samples at a position, which is of the function or of code from another file there.
 * @callee: the function that is called, and has the samples with all below, or PROFILE_NONE
 */
struct calls_cost {
	uint32_t function;
	uint32_t callee;
	uint32_t file;
	uint32_t line;
	uint64_t address;
	uint64_t samples;
	uint64_t kernel;
};

/* Those of a profile, sorted by function, and the costs of its own lines first */
struct calls {
	struct profile_strings *strings;
	struct calls_function *functions;
	uint32_t nr_functions;
	struct calls_cost *costs;
	uint32_t nr_costs;
};

/* @unknown: name of an unknown file */
void profil_calls_make(struct calls *calls, const struct profile *profile,
		       const char *unknown);
void profil_calls_free(struct calls *calls);

/* Source file with the function around @place, or "" */
const char *profil_calls_file(const struct profile *profile,
			      const struct profile_place *place);

#endif
