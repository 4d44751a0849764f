/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_PROC_MAPS_H
#define PROFIL_LIB_PROC_MAPS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct map - an executable mapping of a file, of the vDSO, or of memory
 * @start: first address
 * @end: address after the last
 * @offset: what of the file lies at @start; 0 for the vDSO
 * @major: device of the file
 * @minor: device of the file
 * @inode: the file
 * @path: path of the file, or [vdso], or "" for anonymous memory; gone after
 *	the callback
 */
struct map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint32_t major;
	uint32_t minor;
	uint64_t inode;
	const char *path;
};

/*
 * Call @take with each such mapping of this process, in ascending order, and
 * use @buffer for it, of @size bytes, more than two lines. 0 or -errno.
 */
int profil_proc_maps(void (*take)(const struct map *map, void *data),
		     void *data, char *buffer, size_t size);

#endif
