// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sample profile of LLVM as text
 *
 *	FUNCTION:TOTAL:HEAD
 *	 LINE.DISCRIMINATOR: SAMPLES
 *	 LINE.DISCRIMINATOR: INLINED_FUNCTION:TOTAL
 *	  LINE: SAMPLES
 *
 * LINE counts from the declaration of the function. The lines of an inlined
 * function follow its call, and have one space more before them.
 */
#include <inttypes.h>

#include "export/llvm.h"
#include "source/tree.h"

static void put_position(FILE *out, struct source_position position, int depth)
{
	fprintf(out, "%*s%" PRIu32, depth, "", position.line);
	if (position.discriminator)
		fprintf(out, ".%" PRIu32, position.discriminator);
	fputs(": ", out);
}

static void put_body(FILE *out, const struct source_function *function,
		     int depth)
{
	for (uint32_t i = 0; i < function->nr_lines; i++) {
		put_position(out, function->lines[i].position, depth);
		fprintf(out, "%" PRIu64 "\n", function->lines[i].samples);
	}
	for (uint32_t i = 0; i < function->nr_calls; i++) {
		const struct source_function *call = &function->calls[i];

		put_position(out, call->position, depth);
		fprintf(out, "%s:%" PRIu64 "\n", call->name, call->total);
		put_body(out, call, depth + 1);
	}
}

enum export_error profil_export_llvm(const struct profile *profile, FILE *out)
{
	struct source_tree tree;

	profil_source_tree_make(&tree, profile, DISCRIMINATORS_LLVM);
	for (uint32_t i = 0; i < tree.nr_functions; i++) {
		const struct source_function *function = &tree.functions[i];

		fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", function->name,
			function->total, function->head);
		put_body(out, function, 1);
	}
	profil_source_tree_free(&tree);
	return EXPORT_OK;
}

uint64_t profil_export_llvm_samples(const struct profile *profile)
{
	return profil_source_tree_samples(profile, DISCRIMINATORS_LLVM);
}

enum export_error profil_export_llvm_check(const struct profile *profile)
{
	return profil_export_llvm_samples(profile) ? EXPORT_OK :
						     EXPORT_NO_LINES;
}
