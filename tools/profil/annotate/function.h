/* SPDX-License-Identifier: GPL-2.0-only */
/* A function that is annotated, and its samples by instruction and source line */
#ifndef PROFIL_ANNOTATE_FUNCTION_H
#define PROFIL_ANNOTATE_FUNCTION_H

#include "profile/rows.h"

/*
 * A function, its instructions with samples, ascending by address, and all of these
 * samples. @inlined: samples in other functions, where the function was inlined.
 * @total: samples with the function on the stack, if it @has_callers. @others: indices of
 * other functions that match, the hottest first
 */
struct annotated_function {
	const struct profile *profile;
	uint32_t function;
	struct groups hits;
	uint64_t samples;
	uint64_t inlined;
	uint64_t total;
	bool has_callers;
	uint32_t *others;
	uint32_t nr_others;
};

/*
 * Find the hottest function whose name or symbol is @name, or else contains it;
 * NULL: the hottest of all. @object is a pattern for paths of objects, or NULL.
 * False if no function with samples, or on a stack, matches.
 */
bool profil_annotated_find(struct annotated_function *annotated,
			   const struct profile *profile, const char *name,
			   const regex_t *object);

/*
 * Read the samples of @function, an index; @with_inlined: also those in other functions,
 * where the function was inlined, and those of what it has called
 */
void profil_annotated_make(struct annotated_function *annotated,
			   const struct profile *profile, uint32_t function,
			   bool with_inlined);
void profil_annotated_free(struct annotated_function *annotated);

/* Printable name of @function, an index, shortened to @width characters */
char *profil_annotated_name(const struct profile *profile, uint32_t function,
			    size_t width);

/* The samples that are 100 % */
uint64_t profil_annotated_all(const struct annotated_function *annotated);

/* Share of @samples in those of the function, or in its total, in percent */
double profil_annotated_percent(const struct annotated_function *annotated,
				uint64_t samples);

/* Number of a group: 1 if the innermost frame is in an inlined function, or 0 */
#define INNER_IS_INLINED 5

/*
 * Samples of the line @number, and the places of the source that they are in, the
 * hottest first: a number of each is INNER_IS_INLINED. @total: those of what the line has
 * called as well, each once. @has_inlined: some are in inlined functions
 */
struct line_hits {
	uint32_t number;
	uint64_t samples;
	uint64_t total;
	const struct group *inner;
	size_t nr_inner;
	bool has_inlined;
};

/*
 * Samples of the function in a source file, by its path when it was compiled, and in its
 * lines, which ascend
 */
struct file_hits {
	const char *file;
	uint64_t samples;
	struct line_hits *lines;
	size_t nr_lines;
};

/*
 * Samples of the function with a known line, by file, the hottest first, and the lines
 * and places of all files. @totals: by file and line; private
 */
struct source_hits {
	struct file_hits *files;
	size_t nr_files;
	uint64_t samples;
	struct line_hits *lines;
	size_t nr_lines;
	struct groups inner;
	struct groups totals;
};

/* Line 0 stands for code that the compiler has made without a line. */
void profil_source_hits_read(struct source_hits *source,
			     const struct annotated_function *annotated);
void profil_source_hits_free(struct source_hits *source);

#endif
