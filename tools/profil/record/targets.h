/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that a recording is attached to */
#ifndef PROFIL_TARGETS_H
#define PROFIL_TARGETS_H

#include <poll.h>

#include "record/growing.h"

struct record_request;
struct table;

/* A process with its CPU time before, and at the last look before its end */
struct counted {
	pid_t pid;
	struct cpu_time before;
	struct cpu_time now;
};

/* Descriptors that a recording waits for: of signals, of the table, and of processes */
enum { TARGET_SIGNALS, TARGET_TABLE, TARGET_FIRST };

/*
 * Processes that a recording is attached to
 * @growing: gets their root directories
 * @have_children: a process has children that are not added
 * @counted: their CPU time, each process once
 * @fds: descriptors of those that run, from TARGET_FIRST on, behind two that the caller
 *	may set
 */
struct targets {
	const struct record_request *request;
	const struct table *table;
	struct growing *growing;
	bool have_children;
	struct counted *counted;
	size_t nr_counted;
	struct pollfd *fds;
	size_t nr;
};

/*
 * Attach to the processes, whose first members are set. Exits with a sentence if that
 * is not possible; a line has the number of descendants that were refused. The caller is
 * the ptracer of a process for that moment, and the process is not stopped.
 */
void profil_targets_attach(struct targets *targets);

/*
 * CPU time since then, by /proc; of a process that has ended, that at the last call
 * before its end
 */
struct cpu_time profil_targets_cpu(struct targets *targets);

/* All have ended; those that have are not in @targets->fds any more. */
bool profil_targets_have_ended(struct targets *targets);

void profil_targets_free(struct targets *targets);

#endif
