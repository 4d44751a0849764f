/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * File systems of the torture: FUSE, whose server is a process of its own, and
 * ext4 on a loop device.
 */
#ifndef TORTURE_FILES_H
#define TORTURE_FILES_H

/*
 * NULL in the guest of tests/qemu, as root; else why operations on the machine are
 * skipped: elsewhere the torture changes nothing but itself.
 */
const char *guest_missing(void);

#define FILES_HOME "/tmp/torture"

/*
 * Make FILES_HOME, on a file system that is in memory and not swapped, once.
 * Return 0 or a negative errno.
 */
int files_make_home(void);

/* Files that any process may open; the content is zero. */
enum place { IN_FUSE, IN_EXT4 };

/* Mount the file system, once. Return NULL, or why there is none. */
const char *files_mount_fuse(void);
const char *files_mount_ext4(void);

/* Remove all mounts and the directory. */
void files_end(void);

/* Open a file for reading and writing. Return a descriptor, or -1 with errno. */
int files_open(enum place place);

#endif /* TORTURE_FILES_H */
