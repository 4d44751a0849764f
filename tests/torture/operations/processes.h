/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes of the torture. Every fork and every wait is by these functions, which
 * count the processes that run. A thread waits for its own children only.
 */
#ifndef TORTURE_PROCESSES_H
#define TORTURE_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

#include "actor.h"

/* The path of this program */
extern const char *program;

/* As fork(); EAGAIN if there are many processes. */
pid_t process_fork(void);

/*
 * Fork a child of @actor's thread, which calls @life and ends when that returns.
 * Return 0 or a negative errno: EAGAIN if there are many processes, or if the
 * first process is DEPTH_MAX forks away.
 */
int process_begin(struct actor *actor, void (*life)(struct actor *actor));

/* Fork a child that calls @life, at any depth, and wait for its end. */
int process_run(struct actor *actor, void (*life)(struct actor *actor));

/* Wait for @child, of this thread, or collect all that have ended. */
void process_wait(pid_t child);
void process_collect(void);

/* Count a process that has ended, if @child is one. */
void process_ended(pid_t child);

/* Execute the program again, to be the process @index. */
void process_execute(__u64 index, unsigned int depth);

#endif /* TORTURE_PROCESSES_H */
