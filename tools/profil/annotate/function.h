/* SPDX-License-Identifier: GPL-2.0-only */
/* Function that is annotated, and its samples by instruction and source line */
#ifndef PROFIL_ANNOTATE_FUNCTION_H
#define PROFIL_ANNOTATE_FUNCTION_H

#include <regex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/group.h"
#include "profile/profile.h"

/**
 * struct annotated_function - a function and its samples
 * @profile: the profile
 * @function: index of the function
 * @hits: instructions with samples, ascending by address
 * @samples: samples of all hits
 * @inlined: samples of hits in other functions, where the function was inlined
 * @others: indices of other functions that match, the hottest first
 * @nr_others: elements of @others
 */
struct annotated_function {
	const struct profile *profile;
	uint32_t function;
	struct groups hits;
	uint64_t samples;
	uint64_t inlined;
	uint32_t *others;
	uint32_t nr_others;
};

/*
 * Find the hottest function whose name or symbol is @name, or else contains it;
 * NULL: the hottest of all. @object is a pattern for paths of objects, or NULL.
 * False if no function with samples matches.
 */
bool profil_annotated_find(struct annotated_function *annotated,
			   const struct profile *profile, const char *name,
			   const regex_t *object);

/* Read the samples of @function, an index. */
void profil_annotated_make(struct annotated_function *annotated,
			   const struct profile *profile, uint32_t function);

/* Forget the hits in other functions, where the function was inlined. */
void profil_annotated_drop_inlined(struct annotated_function *annotated);
void profil_annotated_free(struct annotated_function *annotated);

/* Share of @samples in those of the function, in percent */
double profil_annotated_percent(const struct annotated_function *annotated,
				uint64_t samples);

/* Standard error of that share, in percent */
double profil_annotated_error(const struct annotated_function *annotated,
			      uint64_t samples);

/**
 * struct inner_hits - samples of a line in one place of the source
 * @frame: the innermost frame
 * @is_inlined: the frame is in an inlined function
 * @samples: the samples
 * @hottest: place with the most of them
 */
struct inner_hits {
	const struct profile_frame *frame;
	bool is_inlined;
	uint64_t samples;
	const struct profile_place *hottest;
};

/**
 * struct line_hits - samples of a line of the function
 * @number: the line
 * @samples: the samples
 * @inner: places of the source they are in, the hottest first
 * @nr_inner: elements of @inner
 * @has_inlined: some of @inner are in inlined functions
 */
struct line_hits {
	uint32_t number;
	uint64_t samples;
	struct inner_hits *inner;
	size_t nr_inner;
	bool has_inlined;
};

/**
 * struct file_hits - samples of the function in a source file
 * @file: its path when it was compiled
 * @samples: the samples
 * @lines: lines with samples, ascending
 * @nr_lines: elements of @lines
 */
struct file_hits {
	const char *file;
	uint64_t samples;
	struct line_hits *lines;
	size_t nr_lines;
};

/**
 * struct source_hits - samples of the function with a known line
 * @files: source files, the hottest first
 * @nr_files: elements of @files
 * @samples: all of the samples
 * @lines: lines of all files
 * @nr_lines: elements of @lines
 * @inner: places of all lines
 * @nr_inner: elements of @inner
 */
struct source_hits {
	struct file_hits *files;
	size_t nr_files;
	uint64_t samples;
	struct line_hits *lines;
	size_t nr_lines;
	struct inner_hits *inner;
	size_t nr_inner;
};

/* Line 0 stands for code that the compiler has made without a line. */
void profil_source_hits_read(struct source_hits *source,
			     const struct annotated_function *annotated);
void profil_source_hits_free(struct source_hits *source);

#endif
