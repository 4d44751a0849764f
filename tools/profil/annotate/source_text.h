/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SOURCE_TEXT_H
#define PROFIL_SOURCE_TEXT_H

#include <stdint.h>

#include "source/finder.h"

/**
 * struct source_text - the lines of a source file
 * @path: path of the file that was found
 * @written_ns: time of its last change, in nanoseconds since 1970
 * @text: its text, each line ended by a zero
 * @lines: the lines
 * @nr: elements of @lines
 */
struct source_text {
	char *path;
	uint64_t written_ns;
	char *text;
	char **lines;
	uint32_t nr;
};

/*
 * Read the file that was compiled as @path, a string of the profile. A file that
 * was modified after @built_ns, nanoseconds since 1970, is not read; 0: any file
 * is.
 */
enum source_error profil_source_text_read(struct source_text *source,
					  struct source_finder *finder,
					  const char *path, uint64_t built_ns);
void profil_source_text_free(struct source_text *source);

/*
 * Copy of the line @number without tabs, made by @printable; NULL if there is none
 */
char *profil_source_text_line(const struct source_text *source, uint32_t number,
			      char *(*printable)(const char *text));

#endif
