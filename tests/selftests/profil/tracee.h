/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracees: children that this thread traces (ptrace), so that it may attach a
 * descriptor of /dev/profil to them.
 */
#ifndef PROFIL_TEST_TRACEE_H
#define PROFIL_TEST_TRACEE_H

#include <sys/types.h>

#include "common.h"

/*
 * Fork a child that closes its descriptors, stops, traced, and then runs
 * @body(@argument); the result is the exit status. The child is killed when
 * the calling thread ends. The program ends as failed if there is no child.
 */
pid_t tracee_new(int (*body)(void *argument), void *argument);

/* Spin at @site until the process is killed; a tracee that does so. */
int spin_forever(unsigned int site);
pid_t tracee_that_spins(unsigned int site);

/* Stop tracing; the child runs. */
void tracee_release(pid_t pid);

/* Kill @pid, a child, and wait for its end. */
void kill_child(pid_t pid);

/* PROFIL_IOC_ATTACH by a pidfd of @pid. 0 or a negative errno. */
int attach_to(int fd, pid_t pid, __u32 flags);

/*
 * Attach @fd to the tracee @pid, START on the sites with @counters, and release the
 * tracee. 0 or a negative errno.
 */
int sample_tracee(int fd, pid_t pid, __u32 flags, void *counters,
		  __u64 period_ns);

/* The same as attach_to() for a process that is not traced, the caller's included. */
int attach_untraced(int fd, pid_t pid, __u32 flags);

/* The same as attach_to() by any descriptor. */
int attach_by(int fd, int pidfd, __u32 flags);

/* A pidfd of @pid, or a negative errno. */
int pidfd_of(pid_t pid);

/*
 * Wait until the counter at @index is @count; others run meanwhile. False
 * after TIMEOUT_NS.
 */
bool wait_for_count(int fd, const void *counters, size_t index, __u64 count);

/* Wait until the descriptor's programs have all ended. */
bool wait_until_gone(int fd);

#endif /* PROFIL_TEST_TRACEE_H */
