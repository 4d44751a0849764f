/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots: memory that operations map, change, and give to sessions as counters.
 *
 * Each thread has a row of slots and touches no other, so operations of threads
 * do not disturb each other, while sessions and forks meet all rows. A slot that
 * no session covers is a canary: full of poison, which no sample may change.
 *
 * A child of fork has copies of its parent's slots. Where the copy of @canary is
 * set, the parent's thread had not called START over the slot, so no session of
 * the child covers it, whatever other threads do during the fork. The kernel
 * copies pinned pages, which had been counters, before it copies @canary: what
 * another thread has filled with poison since the fork began is no canary in the
 * child. Where a copy is missing, the child maps memory, which has to stay
 * untouched, too.
 */
#ifndef TORTURE_SLOTS_H
#define TORTURE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "random.h"

#define ROWS 4
#define SLOTS 4
#define WINDOW 0x1000000UL
/* Too many pages to be pinned at START */
#define SLOT_PAGES_MAX 100

/* Kinds of memory */
enum kind {
	ANONYMOUS,
	SHARED_ANONYMOUS,
	MEMFD,
	HUGE,
	HUGETLB,
	SHARED_HUGETLB,
	FUSE_PRIVATE,
	FUSE_SHARED,
	EXT4_PRIVATE,
	EXT4_SHARED,
	NR_KINDS,
};

/**
 * struct patch - a canary that has replaced a part of a slot
 * @at: its address
 * @bytes: its size; 0 if there is none
 */
struct patch {
	char *at;
	size_t bytes;
};

/**
 * struct slot - a mapping in a window of its own
 * @window: WINDOW bytes of addresses that mmap() does not choose
 * @at: the mapping, in the first or the second half of the window
 * @bytes: its size; 0 if there is none
 * @kind: of the memory
 * @file: descriptor of a memfd, or -1
 * @canary: a number, if no session covers the slot and it is full of poison
 * @zeros: pages of it may have become zero
 * @wipes: a child's copy of it may be zero
 * @counted: START over it has been called; if the memory is shared, children
 *	may go on counting in it
 * @covered: START over it has been called, and nothing since that ended it
 * @patch: a part that other memory has replaced
 * @hole: a part with MADV_DONTFORK
 */
struct slot {
	char *window;
	char *at;
	size_t bytes;
	enum kind kind;
	int file;
	unsigned int canary;
	bool zeros;
	bool wipes;
	bool counted;
	bool covered;
	struct patch patch;
	struct patch hole;
};

/* The slots of this process; private memory, which fork() copies. */
extern struct slot slots[ROWS][SLOTS];

/* Give each slot its window. Once in each program. */
void slots_begin(void);

/*
 * Replace all of the slot's window by @bytes of fresh memory, a canary. Return 0
 * or a negative errno, without a mapping then.
 */
int slot_map(struct slot *slot, enum kind kind, size_t bytes);

int slot_unmap(struct slot *slot);

/* The memory is about to change, or to be counters: no canary from here on. */
void slot_yield(struct slot *slot);

/* The memory is about to be counters. */
void slot_give(struct slot *slot);

/*
 * Fill the slot, which no session of this process covers, with poison: a canary,
 * unless children may count in it.
 */
void slot_poison(struct slot *slot);

/* Map fresh memory over a part of the slot: a canary. */
int slot_patch(struct slot *slot, char *at, size_t bytes);

/* Check the slot, if it is a canary, and its patch. */
void slot_check(struct slot *slot);
void row_check(unsigned int row);

/* Check all rows, in a process without other threads. */
void slots_check(void);

/* No session of this process covers a slot of @row. */
void row_uncover(unsigned int row);

/* Note which slots are canaries, before this thread calls fork(). */
void slots_before_fork(void);

/*
 * In a child: fill holes with canaries. Memory that is shared with the parent is
 * none, as the parent writes it.
 */
void slots_inherit(void);

/*
 * In a child: replace the memory of @row that the parent writes. False if that
 * fails: then an operation on the row would write the parent's canaries.
 */
bool row_disown(unsigned int row);

#endif /* TORTURE_SLOTS_H */
