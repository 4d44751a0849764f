/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that a recording has seen: their code may need names after their end */
#ifndef PROFIL_SEEN_H
#define PROFIL_SEEN_H

#include "record/growing.h"

/*
 * The origin of code in the process @pid, which started at @begin_ns, or 0: its ID in its
 * own PID namespace, its user, and its root directory, which is opened. The process is
 * read once until names are looked up; NULL if it has ended before.
 */
const struct resolve_origin *profil_growing_process(struct growing *growing,
						    uint32_t pid,
						    uint64_t begin_ns);

/* The same for code that it has generated, with the processes that have forked it */
const struct resolve_origin *profil_growing_generator(struct growing *growing,
						      uint32_t pid,
						      uint64_t begin_ns);

/* Forget what was read since names were looked up, or all with @is_all. */
void profil_growing_forget(struct growing *growing, bool is_all);

#endif
