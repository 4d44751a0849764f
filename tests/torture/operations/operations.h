/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations. Each returns 0 or a negative errno, which is counted and is no
 * failure: with changes all around, almost any call may fail.
 */
#ifndef TORTURE_OPERATIONS_H
#define TORTURE_OPERATIONS_H

#include <stddef.h>

#include "actor.h"

/**
 * struct operation - one operation
 * @name: in the table
 * @run: performs it
 * @weight: how often actors draw it
 * @missing: prepares the guest for it, once; NULL if the operation can be run,
 *	else why this kernel does not have it
 * @argument: of @run, in the actor
 * @shares: changes the session of the process, and so is not run while another thread
 *	has it to itself
 */
struct operation {
	const char *name;
	int (*run)(struct actor *actor);
	unsigned int weight;
	const char *(*missing)(void);
	int argument;
	bool shares;
};

/* A list of operations of one subject */
struct operations {
	const struct operation *list;
	size_t nr;
};

extern const struct operations memory_operations, advice_operations,
	session_operations, attach_operations, process_operations,
	user_operations, other_operations, machine_operations;

/* Find the operations that this kernel lacks, and print them. */
void operations_probe(void);

/* Draw an operation of actors, and run it. */
void operations_run_any(struct actor *actor);

/* Draw an operation of the machine, and run it. */
void operations_run_machine(struct actor *actor);

/* Print how often each operation was done, and failed by which error. */
void operations_print(void);

#endif /* TORTURE_OPERATIONS_H */
