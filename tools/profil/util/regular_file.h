/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of names that are not trusted
 *
 * The opening of a device acts on it: that of a watchdog starts it, that of a tape
 * rewinds the tape. The opening of a FIFO waits for a writer. A file is tested by a
 * descriptor that only names it, and that file is opened, whatever has its path
 * then.
 */
#ifndef PROFIL_UTIL_REGULAR_FILE_H
#define PROFIL_UTIL_REGULAR_FILE_H

#include <stdbool.h>

#include "include/run_layout.h"

/*
 * Open a file for reading: a descriptor, to be closed, or -1 if it is not a regular
 * file, if it is empty, if it is one of proc(5) or sysfs(5), or if it cannot be
 * opened. Other files of the kernel are regular and empty, and reading one may wait;
 * in sysfs(5), reading one may act on a device. Where proc(5) is not mounted, a file
 * that replaces the tested one is opened, and closed again.
 */
int profil_regular_file_open(const char *path);

/* The same for the file that the descriptor @named, of O_PATH, names */
int profil_regular_file_reopen(int named);

/* True if open(2) would open another file than profil_regular_file_open() does */
bool profil_regular_file_is_other(const char *path);

/*
 * True if the file @fd has the identity @then: the same build ID if both have
 * one, otherwise the same device, inode, size and time of modification.
 */
bool profil_same_file(const struct run_identity *then, int fd);

/* True if the file @path has the device and inode of @then; it is not opened. */
bool profil_same_place(const struct run_identity *then, const char *path);

/*
 * Raise the soft limit of open files to the hard one: a recording keeps descriptors
 * of each process and each container. The usual limit, 1024, is one for programs
 * that use select(2), which profil does not.
 */
void profil_file_limit_raise(void);

/* Set the soft limit that was found, for another program; if it was raised */
void profil_file_limit_restore(void);

#endif
