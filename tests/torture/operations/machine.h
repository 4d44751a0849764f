/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine, changed by a process of its own during a round: its CPUs, memory,
 * swap, and the module.
 */
#ifndef TORTURE_MACHINE_H
#define TORTURE_MACHINE_H

#include "random.h"

/* Change the machine until the round ends. Does not return. */
void machine_change(void) __attribute__((noreturn));

/* Undo all changes of a round. */
void machine_restore(void);

/* Undo what probes have prepared. */
void machine_end(void);

/* Enter the memory control group whose limit the machine changes, if any. */
void machine_join_group(void);

#endif /* TORTURE_MACHINE_H */
