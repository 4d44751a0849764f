/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SOURCE_FINDER_H
#define PROFIL_SOURCE_FINDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "profile/profile.h"
#include "resolve/units.h"

/**
 * struct witness - programs on this machine that confirm names in a profile
 * @profile: the profile
 * @object: index of the last object that was looked for, or PROFILE_NONE
 * @symbols: its file, or NULL
 * @units: units of the file
 * @bias: difference between addresses in the DWARF information and link-time
 *	addresses
 */
struct witness {
	const struct profile *profile;
	uint32_t object;
	struct symbols *symbols;
	struct units units;
	uint64_t bias;
};

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

/**
 * struct source_finder - where source files of a profile are looked for
 * @directory: directory of the user's choice, or NULL
 * @witness: programs that confirm the names of the profile
 */
struct source_finder {
	const char *directory;
	struct witness witness;
};

/**
 * struct source_found - a source file that was found
 * @fd: descriptor of a regular file of a bounded size, to be closed
 * @status: status of the file
 * @path: path of the file
 */
struct source_found {
	int fd;
	struct stat status;
	char path[PATH_MAX];
};

void profil_source_finder_begin(struct source_finder *finder,
				const struct profile *profile,
				const char *directory);
void profil_source_finder_end(struct source_finder *finder);

/*
 * Open the file that was compiled as @path, a string of the profile: below the
 * directory of the user's choice, where leading parts of the path may be
 * missing; or, if a program on this machine names @path as its source, at the
 * path itself or, without a directory of the user's choice, below the present
 * one. A file below a directory is never outside of it by a part "..". A symbolic
 * link is followed if it is of the caller, of root or of the owner of the file.
 */
enum source_error profil_source_finder_open(struct source_finder *finder,
					    const char *path,
					    struct source_found *found);

#endif
