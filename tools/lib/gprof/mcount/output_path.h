/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where gmon.out goes: into the directory in which the program was started,
 * wherever it is when the file is written
 */
#ifndef PROFIL_LIB_OUTPUT_PATH_H
#define PROFIL_LIB_OUTPUT_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUT_PATH_MAX (PATH_MAX + 64)

/**
 * struct output_path - where a file is to be written
 * @path: its path, absolute if the directory has one
 * @relative: where the part of it begins that depends on the directory of start
 * @device: of the directory that the file goes to; 0 if there was none
 * @inode: the same directory's
 */
struct output_path {
	char path[PATH_MAX];
	size_t relative;
	uint64_t device;
	uint64_t inode;
};

/* Note the output of the file @name, which may have directories in it. */
void profil_output_path_set(struct output_path *output, const char *name);

/*
 * The path by which the output is found now, with a number and a suffix, for
 * either of which there may be none (0, ""): 0, or -ENAMETOOLONG. A output that is not
 * to be found any more is replaced by the current directory.
 */
int profil_output_path_get(const struct output_path *output, int number,
			   const char *suffix, char path[OUTPUT_PATH_MAX]);

/* The path of what the process @pid makes the file at @path of; same errors */
int profil_output_path_part(const char *path, int pid,
			    char part[OUTPUT_PATH_MAX]);

#endif
