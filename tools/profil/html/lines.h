/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines of a function by their samples */
#ifndef PROFIL_HTML_LINES_H
#define PROFIL_HTML_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

/**
 * struct line - samples of a line of the function, or of code inlined in it
 * @file: source file
 * @line: line
 * @inlined: innermost function that is inlined there, or PROFILE_NONE
 * @inlined_file: source file of the inlined code
 * @inlined_line: line of the inlined code
 * @samples: samples
 */
struct line {
	const char *file;
	uint32_t line;
	uint32_t inlined;
	const char *inlined_file;
	uint32_t inlined_line;
	uint64_t samples;
};

/**
 * struct lines - lines of a function
 * @array: the lines, by file and line, those of inlined code by falling samples
 * @nr: elements of @array
 * @unknown: samples without a source line
 */
struct lines {
	struct line *array;
	size_t nr;
	uint64_t unknown;
};

/* Read the lines of @function, whose places are from @first to before @end. */
void profil_lines_read(struct lines *lines, const struct profile *profile,
		       uint32_t function, uint32_t first, uint32_t end);
void profil_lines_free(struct lines *lines);

#endif
