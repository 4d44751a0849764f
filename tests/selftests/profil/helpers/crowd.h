/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many sessions: of the processes of a user, and in the address space of the
 * caller; and the limit of their number.
 */
#ifndef PROFIL_TEST_CROWD_H
#define PROFIL_TEST_CROWD_H

#include <sys/types.h>

#include "common.h"

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
 * Fork a holder, which calls START by @fd after @become(@argument), which returns 0
 * or a negative errno. It ends with the calling thread.
 */
struct holder holder_new(int fd, int (*become)(const void *argument),
			 const void *argument);

/* The same for a process of a user without privileges. */
struct holder holder_of(int fd, uid_t user);

/* The session ends shortly after. */
void holder_end(const struct holder *holder);

/*
 * START, with counters in the caller's address space, on a new descriptor that is
 * attached to a child; then kill the child. The session stays, and takes no samples,
 * until the descriptor is closed, which is returned, or a negative errno.
 */
int start_beside(const struct profil_start *start);

/*
 * True if the session of the caller is the only one that is charged to its user, and
 * to its address space. Replaces the session by one with counters at @counters.
 */
bool only_session_is_charged(int fd, void *counters);

#endif /* PROFIL_TEST_CROWD_H */
