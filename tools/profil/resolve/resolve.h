/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the code in a profile */
#ifndef PROFIL_RESOLVE_RESOLVE_H
#define PROFIL_RESOLVE_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "elf/symbols.h"
#include "include/run_layout.h"
#include "profile/profile.h"

/*
 * Open the file of @object, without its symbols, if the file at its path is the
 * one that was recorded: it has the same build ID or, as @object, none. NULL
 * otherwise.
 */
struct symbols *profil_recorded_file_open(const struct profile_object *object);

struct known;

/**
 * struct resolve_root - root directory of processes
 * @path: path for this process of that of another mount namespace; "": paths in the
 *	mappings are valid here
 * @outer: path of that directory in the mappings, or ""
 */
struct resolve_root {
	char *path;
	char *outer;
};

/**
 * struct resolve_origin - origin of an object's samples
 * @identity: identity of the file when it was mapped; of no use for other kinds
 * @pid: process that generated the code, in its own PID namespace, for PROFILE_JIT; 0
 *	if not known
 * @begin_ns: start of a process that profil has attached to, in nanoseconds since
 *	1970; otherwise 0
 * @owner: user of that process, whose files have names of its code
 * @roots: root directories where the file, or the map of that process, may be
 * @nr_roots: elements of @roots; 0: paths are valid here
 */
struct resolve_origin {
	struct run_identity identity;
	uint32_t pid;
	uint64_t begin_ns;
	uid_t owner;
	const struct resolve_root *roots;
	size_t nr_roots;
};

/*
 * Look up the code of all places. @profile has sorted places with an object, a
 * program, an offset and samples, and objects with a kind, a path and perhaps a
 * build ID; the other members of both are set, and functions, frames and
 * segments are added. @origins has an element for each object; without it, NULL,
 * every file counts as the one that was profiled. Files that cannot be read, and
 * files after an interrupt (util/interrupt.h), have offsets in place of names.
 * Places of @known, which may be NULL, are not looked up again, and a file with
 * no others is not opened.
 */
void profil_resolve(struct profile *profile,
		    const struct resolve_origin *origins,
		    const struct known *known);

/*
 * Look up the code of files without source lines again, if DEBUGINFOD_URLS names
 * servers. @profile is one that was read.
 */
void profil_resolve_again(struct profile *profile);

/*
 * Machine code of @function, @function->size bytes, from its file @elf; NULL if
 * the file has not all of it. It is valid as long as @elf.
 */
const uint8_t *profil_code_bytes_read(const struct profile *profile,
				      const struct profile_function *function,
				      Elf *elf);

/*
 * Store the name of the Debian package with the debugging symbols of the file
 * @path in @name, of @size bytes. False unless dpkg knows the package of the
 * file and apt the other one.
 */
bool profil_package_of_symbols(const char *path, char *name, size_t size);

#endif
