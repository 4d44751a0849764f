/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that saves the profile if profil is killed
 *
 * The guardian has a session of its own and waits for the end of a socket, which
 * profil alone has open. It keeps the run's file open, so that programs are
 * profiled that are executed later. It does what profil would have done: it waits
 * for the end of a delay, and ends the recording after its duration.
 */
#ifndef PROFIL_GUARDIAN_H
#define PROFIL_GUARDIAN_H

#include <sys/types.h>

#include "attach/origins.h"
#include "record/recording.h"

/**
 * struct guardian - the guardian as profil knows it
 * @pid: its process; 0: there is none, and the functions do nothing
 * @socket: profil's end of the socket
 */
struct guardian {
	pid_t pid;
	int socket;
};

/* Memory for a recording, which is shared with processes that are forked later */
struct recording *profil_guardian_share(void);

/* Start a guardian of @recording, which is in such memory. */
void profil_guardian_begin(struct guardian *guardian,
			   struct recording *recording);

/*
 * Name the process of the command to the guardian. The process exists, since its
 * parent has not waited for it yet: another one cannot have its ID.
 */
void profil_guardian_follow(const struct guardian *guardian, pid_t pid);

/* Tell the guardian of all processes of @origins; their directories are open then. */
void profil_guardian_add_origins(const struct guardian *guardian,
				 const struct origins *origins);

/* Let the guardian read the baseline at the same time as profil. */
void profil_guardian_read_baseline(const struct guardian *guardian);

/* End the guardian, which saves nothing. */
void profil_guardian_end(struct guardian *guardian,
			 struct recording *recording);

#endif
