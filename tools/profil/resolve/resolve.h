/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the code in a profile */
#ifndef PROFIL_RESOLVE_RESOLVE_H
#define PROFIL_RESOLVE_RESOLVE_H

#include <sys/types.h>

#include "elf/symbols.h"

/*
 * Open the file of @object, to be closed, if the file at its path is the
 * one that was recorded: it has the same build ID or, as @object, none. NULL
 * otherwise.
 */
struct symbols *profil_recorded_file_open(const struct profile_object *object);

/*
 * A process whose map has names of generated code: its ID in its own PID namespace, its
 * start, in nanoseconds since the boot, and its user; an ID of 0 is none
 */
struct resolve_ancestor {
	uint32_t pid;
	uid_t owner;
	uint64_t begin_ns;
};

/* A process in which code is generated mostly forks the one that executes it. */
#define RESOLVE_ANCESTORS 2

/**
 * struct resolve_origin - origin of an object's samples
 * @identity: identity of the file when it was mapped; of no use for other kinds
 * @pid: process that generated the code, in its own PID namespace, for PROFILE_JIT; 0
 *	if not known
 * @begin_ns: start of that process, in nanoseconds since the boot; 0 if not known: no
 *	earlier than that of the recording
 * @owner: user of that process, whose files have names of its code
 * @image: number of the program's start by execve(2) in that process, which the
 *	children that it forks have as well; 0 if not known
 * @clock_ns: what CLOCK_REALTIME was ahead of the time since the boot when that process
 *	was seen, the least of several; 0 if not known
 * @ancestors: the process that has forked that one, and the one before, up to one of
 *	another image
 * @root: index of the only root directory where the file may be, or INDEX_NONE; for the
 *	caller
 * @roots: descriptors of root directories where the file, or the map of that process,
 *	may be; -1: that of this process
 * @nr_roots: elements of @roots; 0: paths are valid here
 * @file: descriptor that names the file, as a process had it mapped, which may be nowhere
 *	else by now; 0: there is none
 * @left_out: the file is not read: FILE_LEFT_OUT, FILE_NOT_NOW, or both
 */
struct resolve_origin {
	struct file_identity identity;
	uint32_t pid;
	uint64_t begin_ns;
	uid_t owner;
	uint64_t image;
	int64_t clock_ns;
	struct resolve_ancestor ancestors[RESOLVE_ANCESTORS];
	uint32_t root;
	const int *roots;
	size_t nr_roots;
	int file;
	uint8_t left_out;
};

#define FILE_LEFT_OUT 1
#define FILE_NOT_NOW 2

/**
 * struct resolve_names - functions of a profile that have been found; all 0 at first
 * @functions: indices of functions with code of their own, by object, address and
 *	size or, of generated code, name
 * @declared: indices of functions by symbol, source file, and line with the object: a
 *	function has an entry in each unit that contains it
 * @maps: maps of generated code that have been read, by object, number of its places,
 *	and state of the file
 */
struct resolve_names {
	struct index_map functions;
	struct index_map declared;
	struct index_map maps;
};

/*
 * Look up the code of the places in files from @first on. The places have an object, an
 * offset and samples, and objects a kind, a path and perhaps a build ID; the other members
 * of both are set, and functions, frames and
 * segments are added. @names are those of the places before. @origins has an element
 * for each object; without it, NULL, every file counts as the one that was profiled.
 * Files that cannot be read, and files after an interrupt (util/interrupt.h), have
 * offsets in place of names.
 */
void profil_resolve(struct profile *profile, struct resolve_names *names,
		    uint32_t first, const struct resolve_origin *origins);

/* The same for generated code, of the places from @first on and again of those before */
void profil_resolve_generated(struct profile *profile,
			      struct resolve_names *names, uint32_t first,
			      const struct resolve_origin *origins);

/*
 * Look up the code of files without source lines again, if DEBUGINFOD_URLS names
 * servers. @profile is one that was read.
 */
void profil_resolve_again(struct profile *profile);

/* Parts of profil_resolve(): names of the places of one object */

/* A place whose names are looked up: its offset, its object, and its index */
struct resolve_place {
	uint64_t offset;
	uint32_t object;
	uint32_t place;
};

/*
 * The places of one object, @nr of them @at ascending offsets, and the functions that have
 * been found
 */
struct resolve_places {
	uint32_t object;
	const struct resolve_place *at;
	size_t nr;
	struct resolve_names *names;
};

static inline struct profile_place *
resolve_place_at(const struct profile *profile,
		 const struct resolve_places *places, size_t index)
{
	return &profile->places[places->at[index].place];
}

/*
 * The places in files from @first on or, with @is_generated, those in generated code, by
 * object and offset, to be freed
 */
struct resolve_place *profil_resolve_order(const struct profile *profile,
					   uint32_t first, bool is_generated,
					   size_t *nr);

#endif
