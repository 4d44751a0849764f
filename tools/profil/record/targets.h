/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that a recording is attached to */
#ifndef PROFIL_TARGETS_H
#define PROFIL_TARGETS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "record/process.h"
#include "record/table.h"
#include "util/option.h"

/**
 * struct targets - processes that a recording is attached to
 * @table: table that they are added to
 * @growing: gets their root directories
 * @pids: their IDs
 * @children: their descendants are added, those that run and those forked later
 * @have_children: a process has children that are not added
 * @before: their CPU time before
 * @fds: descriptors of those that run, behind one that the caller may set
 * @nr: elements of @fds
 */
struct targets {
	const struct table *table;
	struct growing *growing;
	const struct option_numbers *pids;
	bool children;
	bool have_children;
	struct cpu_time before;
	struct pollfd *fds;
	size_t nr;
};

/*
 * Attach to the processes, whose first members are set. Exits with a sentence if that
 * is not possible; a line has the number of descendants that were refused. The caller is
 * the ptracer of a process for that moment, and the process is not stopped.
 */
void profil_targets_attach(struct targets *targets);

/* CPU time since then, by /proc; 0 when the processes have ended */
struct cpu_time profil_targets_cpu(const struct targets *targets);

/* All have ended; those that have are not in @targets->fds any more. */
bool profil_targets_have_ended(struct targets *targets);

void profil_targets_free(struct targets *targets);

#endif
