/* SPDX-License-Identifier: GPL-2.0-only */
/* All programs that a recording is attached to */
#ifndef PROFIL_TARGETS_H
#define PROFIL_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attach/origins.h"
#include "attach/target.h"
#include "record/run_file.h"

/**
 * struct targets - programs that a recording is attached to
 * @file: the run's file
 * @origins: table that gets the processes
 * @array: the programs
 * @nr: elements of @array
 * @nr_refused: descendants at the beginning, of programs beyond the limit of sessions
 */
struct targets {
	const struct run_file *file;
	struct origins *origins;
	struct target *array;
	size_t nr;
	size_t nr_refused;
};

/*
 * Attach to the process @pid; with @children also to its descendants, those that
 * run and those that are forked later. 0 or -errno, for @pid; descendants that
 * cannot be attached are left out, and a line has the number of those for whose
 * programs there was no session. The processes whose mappings are read are added
 * to @origins.
 */
int profil_targets_begin(struct targets *targets, const struct run_file *file,
			 struct origins *origins, pid_t pid, bool children);

/* Read mappings again where that is due; the time of the next call */
uint64_t profil_targets_look(struct targets *targets);

/* No program is left. */
bool profil_targets_are_gone(const struct targets *targets);

/* End the sessions. */
void profil_targets_end(struct targets *targets);

#endif
