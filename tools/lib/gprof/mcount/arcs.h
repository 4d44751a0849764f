/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who called whom, and how often
 *
 * A table that grows and that any number of threads, and signal handlers in
 * them, count into without waiting for each other. None loses a call. A forked
 * child begins with an empty one.
 */
#ifndef PROFIL_LIB_ARCS_H
#define PROFIL_LIB_ARCS_H

#include <stdbool.h>
#include <stdint.h>

#include "gprof/mcount/gmon_format.h"

/* Count or do not, from here on; it does not at first. 0 or -ENOMEM. */
int profil_arcs_switch(bool on);

/*
 * A call of the function at @self that returns to @from. It leaves errno and
 * all vector registers alone.
 */
void profil_arcs_count(uint64_t from, uint64_t self);

/*
 * Hand over each arc that has a count, in no order, till @take returns other
 * than 0, and return that. The same arc may come more than once; its counts add
 * up. Calls made meanwhile may or may not be seen.
 */
int profil_arcs_each(int (*take)(const struct gmon_arc *arc, void *data),
		     void *data);

/*
 * Have @watch called from within profil_arcs_count() now and then, the more
 * seldom the more calls there were. What holds for that holds for @watch.
 */
void profil_arcs_watch(void (*watch)(void));

/* Calls that found no memory for the table */
uint64_t profil_arcs_lost(void);

/* Forget all; only calls made meanwhile by others may be left. */
void profil_arcs_reset(void);

/* The same for a process of one thread, which need not look at it all. */
void profil_arcs_wipe(void);

#endif
