/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A FUSE file system with four files, served by a process of the test. Any user
 * may open and map the files, which start as FUSE_FILE_BYTES of zeros.
 */
#ifndef PROFIL_TEST_FUSE_H
#define PROFIL_TEST_FUSE_H

#include "common.h"

/* More than START pins, 64 pages, if a page is 64 KiB */
#define FUSE_FILE_BYTES 0x800000

/* The server answers all reads and writes of this file. */
#define FUSE_GOOD "good"
/*
 * The server does not answer reads of this file from FUSE_STUCK_FROM on: a task
 * that touches a page there waits for fuse_unmount() or a fatal signal.
 */
#define FUSE_STUCK "stuck"
#define FUSE_STUCK_FROM 4096
/*
 * The same, but a read waits for fuse_deliver(), after which the server answers
 * all reads. One read at a time waits.
 */
#define FUSE_LATE "late"
/*
 * The server does not answer the close of a descriptor of this file: close() waits for
 * fuse_unmount(), and no signal ends it.
 */
#define FUSE_HELD "held"

/**
 * struct fuse - a mounted file system
 * @directory: the mount point; a string of the caller that outlives the mount
 * @server: the process that serves requests
 */
struct fuse {
	const char *directory;
	pid_t server;
};

/*
 * Mount at @directory, which exists. Needs CAP_SYS_ADMIN. Return 0 or a
 * negative errno: ENOENT or ENODEV if the kernel has no FUSE. The server keeps
 * written data in its memory.
 */
int fuse_mount(struct fuse *fuse, const char *directory);

/* Open the file @name. Return a descriptor or a negative errno. */
int fuse_open(const struct fuse *fuse, const char *name, int flags);

/*
 * Make @path unless it exists, for mounts that only this process and its children see: 0
 * or a negative errno.
 */
int make_private_directory(const char *path);

/* Mount in such a directory, and open the file to read and write: as fuse_open(). */
int fuse_open_private(struct fuse *fuse, const char *directory,
		      const char *name);

/* Have the server answer reads of FUSE_LATE. Return 0 or a negative errno. */
int fuse_deliver(const struct fuse *fuse);

/*
 * Does thread @tid of process @pid wait for a page, so that a fatal signal alone ends
 * it? The thread makes no call that waits.
 */
bool fuse_delays(pid_t pid, pid_t tid);

/**
 * struct waiter - a thread that waits for the page of its first sample
 * @use: uses CPU time
 * @tid: of the thread
 * @over: the thread is to end once it has its page
 * @thread: to be joined
 */
struct waiter {
	void (*use)(__u64 ns);
	volatile pid_t tid;
	volatile bool over;
	pthread_t thread;
};

/* Begin the thread. False if it does not wait for the page within TIMEOUT_NS. */
bool waiter_begin(struct waiter *waiter, void (*use)(__u64 ns));

/* End the server and unmount. Waiting requests fail with ENOTCONN. */
void fuse_unmount(struct fuse *fuse);

#endif /* PROFIL_TEST_FUSE_H */
