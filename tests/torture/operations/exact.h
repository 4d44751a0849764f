/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions whose samples are compared with the ticks that the kernel charges to
 * the process: each tick that finds the process is one sample, in the same
 * interrupt, whether the tick comes late or not at all. So the numbers are equal,
 * but for ticks during START and STOP, on a machine however busy.
 */
#ifndef TORTURE_EXACT_H
#define TORTURE_EXACT_H

#include "actor.h"

/* NULL if the kernel's clock counts ticks, else why not */
const char *exact_missing(void);

int exact_run(struct actor *actor);

#endif /* TORTURE_EXACT_H */
