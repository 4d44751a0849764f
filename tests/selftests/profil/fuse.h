/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A FUSE file system served by a process of the test. Both of its files may be
 * opened and mapped by any user, and are FUSE_FILE_BYTES of zeros at first.
 */
#ifndef PROFIL_TEST_FUSE_H
#define PROFIL_TEST_FUSE_H

#include <sys/types.h>

#define FUSE_FILE_BYTES 0x100000

/* Reads and writes of this file are answered. */
#define FUSE_GOOD "good"
/*
 * Reads of this file from FUSE_STUCK_FROM on are not answered until
 * fuse_unmount(): a task that touches a page there waits, unless a signal kills
 * it. A mapping needs MADV_RANDOM: otherwise a read takes in the first page and
 * others together.
 */
#define FUSE_STUCK "stuck"
#define FUSE_STUCK_FROM 4096

/**
 * struct fuse - a mounted file system
 * @directory: where it is mounted; the caller's, and must outlive it
 * @server: the process that answers
 */
struct fuse {
	const char *directory;
	pid_t server;
};

/*
 * Mount at @directory, which exists. Needs CAP_SYS_ADMIN. Returns 0 or a
 * negative errno, ENOENT or ENODEV where the kernel has no FUSE. The server
 * keeps what is written, until its end.
 */
int fuse_mount(struct fuse *fuse, const char *directory);

/* Open the file @name; a descriptor or a negative errno. */
int fuse_open(const struct fuse *fuse, const char *name, int flags);

/* End the server: what waits for it fails with ENOTCONN. Then unmount. */
void fuse_unmount(struct fuse *fuse);

#endif /* PROFIL_TEST_FUSE_H */
