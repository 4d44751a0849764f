/* SPDX-License-Identifier: GPL-2.0-only */
/* Source files of a profile, and their lines */
#ifndef PROFIL_SOURCE_TEXT_H
#define PROFIL_SOURCE_TEXT_H

#include "resolve/units.h"

/**
 * enum source_error - errors of opening a source file
 * @SOURCE_READ: none
 * @SOURCE_MISSING: there is no such file, or it cannot be read
 * @SOURCE_FOREIGN: only the profile names the file
 * @SOURCE_NEWER: the file has changed after the program was built
 */
enum source_error {
	SOURCE_READ,
	SOURCE_MISSING,
	SOURCE_FOREIGN,
	SOURCE_NEWER,
};

/*
 * Where source files of a profile are looked for: in @directory, or NULL, and by names
 * in the last object that was asked, or PROFILE_NONE, and its file, or NULL. @bias:
 * difference between addresses in the DWARF information and link-time addresses
 */
struct source_finder {
	const char *directory;
	const struct profile *profile;
	uint32_t object;
	struct symbols *symbols;
	struct units units;
	uint64_t bias;
};

void profil_source_finder_begin(struct source_finder *finder,
				const struct profile *profile,
				const char *directory);
void profil_source_finder_end(struct source_finder *finder);

/*
 * The lines of a source file, and its text, each line ended by a zero. @written_ns: time
 * of its last change, in nanoseconds since 1970
 */
struct source_text {
	char *path;
	uint64_t written_ns;
	char *text;
	char **lines;
	uint32_t nr;
};

/*
 * Read the file that was compiled as @path, a string of the profile. It is looked for
 * below the directory of the user's choice, where leading parts of the path may be
 * missing. If a program on this machine names @path as its source, it is looked for at
 * the path itself, too, and without a directory of the user's choice below the present
 * one. A file below a directory is never outside of it by a part "..". A symbolic link is
 * followed if it is of the caller, of root or of the owner of the file. A file that was
 * modified after @built_ns, nanoseconds since 1970, is not read. If that is 0, any file
 * is read.
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
