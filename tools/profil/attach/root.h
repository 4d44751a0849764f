/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a process in another mount namespace
 *
 * The kernel prints paths of mappings from the root of the namespace, and the root
 * directory of the process may be below it. In the same namespace these paths are
 * valid for profil as they are. The descriptors keep the files after the end of the
 * process.
 */
#ifndef PROFIL_ROOT_H
#define PROFIL_ROOT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Bytes of the path of a root directory */
#define ROOT_PATH 32

/**
 * struct root - root directory of a process
 * @directory: descriptor of the directory, or -1: paths are valid here
 * @mounts: descriptor of the mount namespace, or -1
 */
struct root {
	int directory;
	int mounts;
};

/* Paths in the mappings of the process @pid are valid for this process. */
bool profil_root_is_own(pid_t pid);

/* Path of the root directory of the process @pid in its mappings; "" for "/" */
void profil_root_outer(pid_t pid, char outer[PATH_MAX]);

/* Open the root directory of the process @pid, unless its paths are valid here. */
void profil_root_open(struct root *root, pid_t pid);

/* Both are the same directory, in the same mount namespace. */
bool profil_root_is_same(const struct root *one, const struct root *other);

/* Path of the open directory for this process, or "" */
void profil_root_path(const struct root *root, char path[ROOT_PATH]);

void profil_root_close(struct root *root);

#endif
