/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_SOURCE_FILE_H
#define PROFIL_HTML_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/finder.h"

/**
 * struct source_file - lines of a source file
 * @text: the text, with a NUL at the end of each line
 * @lines: the lines
 * @nr: elements of @lines; 0 if the file cannot be read or is no text
 * @error: reason why the file was not opened
 * @is_newer: the file was changed after the recording
 */
struct source_file {
	char *text;
	char **lines;
	size_t nr;
	enum source_error error;
	bool is_newer;
};

/* Read the file that was compiled as @path; @end_ns ends the recording. */
void profil_source_file_read(struct source_file *file,
			     struct source_finder *finder, const char *path,
			     uint64_t end_ns);
void profil_source_file_free(struct source_file *file);

#endif
