/* SPDX-License-Identifier: GPL-2.0-only */
/* What a few tests do to the machine: crowds of processes, a ring, starvation, tracing */
#ifndef PROFIL_TEST_HELPERS_H
#define PROFIL_TEST_HELPERS_H

#include <linux/io_uring.h>

#include "common.h"

/*
 * Many sessions: of the processes of a user, and in the address space of the
 * caller; and the limit of their number.
 */

/* Set the module parameter max_sessions. 0 or a negative errno. */
int set_max_sessions(unsigned int nr);

/* An address space has the counters of this part of max_sessions. */
#define SPACE_PART 64

/**
 * struct holder - a process that has a session until it is killed
 * @pid: the process, or -1
 * @result: of its START, 0 or a negative errno
 */
struct holder {
	pid_t pid;
	int result;
};

/*
 * Fork a holder, which calls START by @fd for @pages of counters, after
 * @become(@argument) unless @become is NULL. @become returns 0 or a negative errno. The
 * holder ends with the calling thread.
 */
struct holder holder_new(int fd, int (*become)(const void *argument),
			 const void *argument, size_t pages);

/* The same for a process of a user without privileges, and one page. */
struct holder holder_of(int fd, uid_t user);

/* The session ends shortly after. */
void holder_end(const struct holder *holder);

/**
 * struct mapped - a user of a user namespace
 * @owner: who makes the namespace
 * @id: from 1 to MAPPED_IDS in the namespace, and MAPPED_ID - 1 higher outside
 *
 * become_mapped(), for the argument of holder_new(), makes the namespace. The caller is
 * root. 0 or a negative errno
 */
struct mapped {
	uid_t owner;
	uid_t id;
};

#define MAPPED_ID 50000 /* below the IDs of new_user() */
#define MAPPED_IDS 10
int become_mapped(const void *mapped);

/*
 * True if the session of the caller is the only one that is charged to its user, and
 * to its address space. Replaces the session by one with counters at @counters.
 */
bool only_session_is_charged(int fd, void *counters);

/* An io_uring for one request at a time */

struct ring {
	int fd;
	struct io_uring_params parameters;
	char *queues;
	struct io_uring_sqe *entry;
};

/* 0 or a negative errno. The ring of ring_begin() is zero. */
int ring_begin(struct ring *ring);
void ring_end(struct ring *ring);

/*
 * Submit the request, and wait for it. With IOSQE_ASYNC a worker of the kernel runs it.
 * Its result, or a negative errno.
 */
int ring_run(struct ring *ring, const struct io_uring_sqe *request);

/*
 * Starvation: CPU 0 is kept busy, so that a process of SCHED_IDLE on it runs for some
 * microseconds in a second. What it holds in the kernel it holds for minutes. Any user
 * can do that; the processes that keep the CPU busy have a priority here, which makes
 * less work do.
 */

/* True if the test may do that, and has another CPU for itself. */
bool starvation_works(void);

/*
 * Fork the processes that keep CPU 0 busy from starvation_begin() on, and move the
 * caller to CPU 1. 0 or a negative errno.
 */
int starvation_prepare(void);
void starvation_begin(void);
void starvation_end(void);

/* The calling process is starved while CPU 0 is busy. 0 or a negative errno. */
int starve(void);

/* The calling process has the other CPU for itself. 0 or a negative errno. */
int starvation_avoid(void);

/* Fork a process of @user that runs @body, and is killed when the caller ends. */
pid_t fork_user(uid_t user, void (*body)(void *argument), void *argument);

/*
 * True if @act(@argument) returns 0 in a process of @user within TIMEOUT_NS. The
 * process may be one that cannot be killed before starvation_end().
 */
bool returns_for(uid_t user, int (*act)(void *argument), void *argument);

/**
 * struct locked - a program that holds the lock of its mappings for writing
 * @pid: its process
 * @stage: what that tells
 *
 * A thread of it is starved in mmap(), which unmaps a file, while another one spins at a
 * site on CPU 1. The process has no descriptor of the caller's.
 */
struct locked {
	pid_t pid;
	struct lock_stage *stage;
};

/* Begin one of @user. False if the lock is not held within TIMEOUT_NS. */
bool locked_begin(struct locked *locked, uid_t user, unsigned int site);

/* True if the lock has been held all the time. */
bool locked_holds(const struct locked *locked);
void locked_end(const struct locked *locked);

/*
 * What the kernel's tracing sees of the module, in an instance of its own: other
 * programs may be tracing.
 */

/*
 * Trace the works that the module queues, or the calls of a function, from now on.
 * 0 or a negative errno: ENOENT without tracefs or such a tracer.
 */
int trace_works(void);
int trace_calls(const char *function);

/* The number of works or calls since then, or -1. */
long traced(void);

void trace_end(void);

#endif /* PROFIL_TEST_HELPERS_H */
