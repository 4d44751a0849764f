/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that were attached, as the names of their code depend on them
 *
 * They may have ended when their code is looked up, and several may have one ID, each
 * in its own PID namespace: they are distinguished by their IDs here.
 */
#ifndef PROFIL_ORIGINS_H
#define PROFIL_ORIGINS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attach/root.h"
#include "resolve/resolve.h"

/**
 * struct origin - a process
 * @pid: its ID here
 * @inner: its ID in its own PID namespace
 * @begin_ns: its start, in nanoseconds since 1970
 * @owner: its user
 * @root: its root directory
 * @outer: path of that directory in its mappings, or ""
 */
struct origin {
	pid_t pid;
	uint32_t inner;
	uint64_t begin_ns;
	uid_t owner;
	struct root root;
	char outer[PATH_MAX];
};

/**
 * struct origins_entry - a process of the table
 * @pid: its ID here
 * @inner: its ID in its own PID namespace
 * @begin_ns: its start, in nanoseconds since 1970
 * @owner: its user
 * @root: index of its root directory
 */
struct origins_entry {
	pid_t pid;
	uint32_t inner;
	uint64_t begin_ns;
	uid_t owner;
	size_t root;
};

/**
 * struct origins - a table of processes; empty if all is 0
 * @array: the processes
 * @nr: elements of @array
 * @roots: their root directories, each of them once
 * @descriptors: descriptors of @roots
 * @nr_roots: elements of @roots and of @descriptors
 */
struct origins {
	struct origins_entry *array;
	size_t nr;
	struct resolve_root *roots;
	struct root *descriptors;
	size_t nr_roots;
};

/* Read the process @pid, and open its root directory. */
void profil_origin_read(struct origin *origin, pid_t pid);

/* Add @origin, whose descriptors are the table's then. */
void profil_origins_add(struct origins *origins, const struct origin *origin);

/* The process with the ID @pid here, or NULL; @origins may be NULL. */
const struct origins_entry *profil_origins_find(const struct origins *origins,
						pid_t pid);

/* The element @index, with the table's descriptors */
void profil_origins_get(const struct origins *origins, size_t index,
			struct origin *origin);

/* Free the table, and close its descriptors. */
void profil_origins_free(struct origins *origins);

#endif
