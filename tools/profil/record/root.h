/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Root directories of processes
 *
 * The driver has the path of a file as the program has it, from the root directory
 * of the program, in its mount namespace. The descriptors keep the files after the end
 * of the process.
 */
#ifndef PROFIL_ROOT_H
#define PROFIL_ROOT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "resolve/resolve.h"

/**
 * struct root - a root directory
 * @device: its device
 * @inode: its inode
 * @mounts: inode of the mount namespace
 * @fd: its descriptor; -1: paths are valid for this process
 */
struct root {
	dev_t device;
	ino_t inode;
	ino_t mounts;
	int fd;
};

/**
 * struct roots - root directories, each of them once; all 0 if there are none
 * @paths: their paths for this process
 * @array: the directories
 * @nr: elements of both
 */
struct roots {
	struct resolve_root *paths;
	struct root *array;
	size_t nr;
};

/* Index of the root directory of the process @pid; INDEX_NONE if it has ended */
uint32_t profil_roots_add(struct roots *roots, pid_t pid);

/* Close all. */
void profil_roots_free(struct roots *roots);

#endif
