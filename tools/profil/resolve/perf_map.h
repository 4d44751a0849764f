/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Map of generated code, /tmp/perf-PID.map
 *
 * A just-in-time compiler writes a line START SIZE NAME for each function, with
 * numbers in hexadecimal. The directory is writable for all users, and the file
 * is read without trust.
 */
#ifndef PROFIL_PERF_MAP_H
#define PROFIL_PERF_MAP_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Bytes of a line; a longer name is cut. */
#define PERF_MAP_LINE 1024

/**
 * struct perf_map_line - one function
 * @start: address
 * @size: bytes, not 0; the function does not extend beyond the last address
 * @name: its name; valid until the next line is read
 */
struct perf_map_line {
	uint64_t start;
	uint64_t size;
	const char *name;
};

/**
 * struct perf_map_origin - whose map it is
 * @pid: process, in its own PID namespace
 * @root: path of its root directory
 * @owner: its user
 * @begin_ns: its start, in nanoseconds since 1970
 */
struct perf_map_origin {
	uint32_t pid;
	const char *root;
	uid_t owner;
	uint64_t begin_ns;
};

/*
 * Open the map of a process. NULL if there is none, if it is not a file of this user
 * or of the process's, or if it was last written before the start of the process:
 * then it is the map of an earlier one. Symbolic links do not lead out of the root
 * directory.
 */
FILE *profil_perf_map_open(const struct perf_map_origin *origin);

/*
 * Call @use for each valid line of @map, in the order of the file. Lines after
 * the first gigabyte are not read.
 */
void profil_perf_map_read(FILE *map,
			  void (*use)(void *data,
				      const struct perf_map_line *line),
			  void *data);

#endif
