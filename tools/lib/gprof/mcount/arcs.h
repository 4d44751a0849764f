/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of arcs: the number of calls for each caller and callee
 *
 * The table grows. Any number of threads, and signal handlers in them, count into
 * it without waiting for each other, and no call is lost. A forked child begins
 * with an empty table.
 */
#ifndef PROFIL_LIB_ARCS_H
#define PROFIL_LIB_ARCS_H

#include <stdbool.h>
#include <stdint.h>

#include "gprof/mcount/gmon_format.h"

/* Switch counting on or off, off at first: 0 or -ENOMEM. */
int profil_arcs_switch(bool on);

/*
 * Count a call of the function at @self that returns to @from. errno and all
 * vector registers are preserved.
 */
void profil_arcs_count(uint64_t from, uint64_t self);

/*
 * Call @take for each arc with a count, in no order, until @take returns a value
 * other than 0, and return that value. An arc may occur more than once, and its
 * counts add up. Calls made meanwhile may or may not be included.
 */
int profil_arcs_each(int (*take)(const struct gmon_arc *arc, void *data),
		     void *data);

/*
 * Have profil_arcs_count() call @watch now and then, less often the more calls
 * were counted. @watch has to preserve the same registers.
 */
void profil_arcs_watch(void (*watch)(void));

/* Calls that were not counted because the table had no memory */
uint64_t profil_arcs_lost(void);

/* Set all counts to zero; calls that other threads make meanwhile may remain. */
void profil_arcs_reset(void);

/* Same for a process of one thread, without reading the whole table */
void profil_arcs_wipe(void);

#endif
