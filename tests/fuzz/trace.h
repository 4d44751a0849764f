/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places of the driver that were reached: see module/profil_trace.h. Only in the
 * guest of tests/fuzz/run.
 */
#ifndef FUZZ_TRACE_H
#define FUZZ_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "module/profil_trace.h"

/* Map the device. False without one. */
bool trace_open(void);

/* Trace this thread from now on. */
void trace_this_thread(void);

/* Forget what the thread has executed since. */
void trace_begin(void);

/*
 * Add the places, and the steps from one place to the next, since trace_begin().
 * Return how many are new.
 */
unsigned int trace_end(void);

/* Places that this program's threads have traced, and steps between places */
unsigned int trace_places(void);
unsigned int trace_steps(void);

/*
 * Operands of a comparison since the program began, chosen by @number. False if
 * there are none.
 */
bool trace_pair(__u64 number, struct trace_pair *pair);

/*
 * Print each place that any context has reached, as "reached: SECTION OFFSET". To
 * be called before the driver is unloaded.
 */
void trace_print(void);

#endif /* FUZZ_TRACE_H */
