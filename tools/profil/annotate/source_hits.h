/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of a function by source file, line and inlined function */
#ifndef PROFIL_SOURCE_HITS_H
#define PROFIL_SOURCE_HITS_H

#include <stddef.h>
#include <stdint.h>

#include "annotate/subject.h"

/**
 * struct inner_hits - samples of a line in one place of the source
 * @frame: the innermost frame
 * @is_inlined: the frame is in an inlined function
 * @samples: the samples
 * @hottest: instruction with the most of them
 */
struct inner_hits {
	const struct profile_frame *frame;
	bool is_inlined;
	uint64_t samples;
	const struct hit *hottest;
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
 */
struct source_hits {
	struct file_hits *files;
	size_t nr_files;
	uint64_t samples;
};

/* Line 0 stands for code that the compiler has made without a line. */
void profil_source_hits_read(struct source_hits *source,
			     const struct subject *subject);
void profil_source_hits_free(struct source_hits *source);

#endif
