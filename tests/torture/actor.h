/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Actors: threads that draw operations and run them. An actor has an index, which
 * depends on those of its ancestors and on the operations that made them, and
 * draws all its numbers from the seed and that index.
 */
#ifndef TORTURE_ACTOR_H
#define TORTURE_ACTOR_H

#include <stdbool.h>

#include "random.h"
#include "slots.h"

#define DEPTH_MAX 3

/**
 * struct actor - a thread
 * @index: identifies the actor in all runs with this seed
 * @row: of slots
 * @depth: number of forks from the first process
 * @operation: number of the current operation
 * @argument: of the current operation
 * @random: its numbers
 */
struct actor {
	__u64 index;
	unsigned int row;
	unsigned int depth;
	unsigned int operation;
	int argument;
	struct stream random;
};

/* A slot of the actor's row */
struct slot *actor_slot(struct actor *actor);

/* The life of a first process, or of one after execve(). Does not return. */
void actor_live(__u64 index, unsigned int depth) __attribute__((noreturn));

/*
 * The life of a forked child of @parent, which has called actor_inherit(). Does
 * not return.
 */
void actor_live_on(const struct actor *parent) __attribute__((noreturn));

/* In a child of fork: check the memory that it has copies of. */
void actor_inherit(const struct actor *parent);

/* Start a thread of this process, with a row of its own. */
int actor_start_thread(struct actor *actor);

/*
 * True if this process has never had another thread, or a thread of the kernel's
 * that works for it: actor_had_company().
 */
bool actor_is_alone(void);
void actor_had_company(void);

#endif /* TORTURE_ACTOR_H */
