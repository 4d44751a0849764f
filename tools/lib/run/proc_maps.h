/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_PROC_MAPS_H
#define PROFIL_LIB_PROC_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes for any line: the kernel writes four for a newline in a path. */
#define PROC_MAPS_LINE (4 * 4096 + 128)

/**
 * struct map - an executable mapping of a file or of the vDSO, or any mapping of
 *	anonymous memory
 * @start: first address
 * @end: address after the last
 * @offset: offset in the file of @start; 0 for the vDSO
 * @major: major number of the file's device
 * @minor: minor number of the file's device
 * @inode: inode of the file
 * @executable: the mapping is executable
 * @path: path of the file, or [vdso], or "" for anonymous memory; valid during
 *	the callback
 */
struct map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint32_t major;
	uint32_t minor;
	uint64_t inode;
	bool executable;
	const char *path;
};

/*
 * Call @take for each of those mappings in the file @maps, /proc/self/maps or that
 * of another process, in ascending order: 0 or -errno. @buffer, of @size bytes, is
 * used for reading; a line that does not fit is the error -EOVERFLOW. With
 * PROC_MAPS_LINE bytes all lines fit; more save system calls.
 */
int profil_proc_maps(const char *maps,
		     void (*take)(const struct map *map, void *data),
		     void *data, char *buffer, size_t size);

#endif
