/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Path of gmon.out: in the directory in which the profile was started, even if
 * the program changes its directory before the file is written
 */
#ifndef PROFIL_LIB_OUTPUT_PATH_H
#define PROFIL_LIB_OUTPUT_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUT_PATH_MAX (PATH_MAX + 64)

/**
 * struct output_path - path of a file that will be written
 * @path: the path, absolute if the directory has an absolute path
 * @relative: index in @path of the part relative to the initial directory
 * @device: device of the file's directory
 * @inode: inode of the file's directory; 0 if it did not exist
 */
struct output_path {
	char path[PATH_MAX];
	size_t relative;
	uint64_t device;
	uint64_t inode;
};

/* Set the path to the file @name, which may contain directories. */
void profil_output_path_set(struct output_path *output, const char *name);

/*
 * Path by which the file's directory is reachable now, followed by @number,
 * unless 0, and @suffix, unless empty: 0, or -ENAMETOOLONG. A directory that is
 * no longer reachable is replaced by the current one.
 */
int profil_output_path_get(const struct output_path *output, int number,
			   const char *suffix, char path[OUTPUT_PATH_MAX]);

/* Path of the temporary file of @path in the process @pid; same errors */
int profil_output_path_part(const char *path, int pid,
			    char part[OUTPUT_PATH_MAX]);

#endif
