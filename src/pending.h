/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending samples: PCs whose counter could not be written where the sample was
 * taken, and how often each came. Bounded; what does not fit is lost, and the
 * caller counts it so. Pure but for the lock: compiles on the host too.
 *
 * A push is done in a hard interrupt, with the lock held that all CPUs of a
 * process share, so it searched at PENDING_SEARCH_MAX places at most.
 */
#ifndef PROFIL_PENDING_H
#define PROFIL_PENDING_H

#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/*
 * Misses wait for as long as somebody holds mmap_lock for writing, as fork
 * does. A thread in a long system call has one PC all the while, and so takes
 * one place. Of threads that run, this is as many samples as there may be
 * different ones: at the tick a second of one CPU, at 1 kHz a quarter.
 *
 * A place fits in a u8.
 */
#define PENDING_MAX 256

/* With all places taken, a bucket has four PCs on average. */
#define PENDING_BITS 6

/*
 * The most PCs of a bucket that are looked at. A PC behind them takes another
 * place, as does one with as many samples as its count can tell.
 */
#define PENDING_SEARCH_MAX 8

/**
 * struct pending - a ring of PCs, and a hash table of those that are in it
 * @lock: a raw one, taken in hard interrupts; guards the rest
 * @head: where the next new PC goes, modulo PENDING_MAX
 * @tail: the oldest PC, which stays until it is done with
 * @pc: the ring
 * @count: samples at each, 1 or more
 * @older: the place of the next older PC in the same bucket, if it is still in
 *	the ring
 * @newest: the place of each bucket's newest PC, likewise
 */
struct pending {
	raw_spinlock_t lock;
	u32 head;
	u32 tail;
	u64 pc[PENDING_MAX];
	u16 count[PENDING_MAX];
	u8 older[PENDING_MAX];
	u8 newest[1 << PENDING_BITS];
};

static inline void pending_init(struct pending *pending)
{
	raw_spin_lock_init(&pending->lock);
	pending->head = 0;
	pending->tail = 0;
}

/*
 * Under the lock: count one more at @pc, if it is there. Not at the oldest,
 * which the caller of pending_peek() may be at work on.
 *
 * Places are not taken out of their buckets. From the newest on, each PC of a
 * bucket is nearer to the tail; a place that is not has been used anew, or is
 * empty, and so what was older is gone as well.
 */
static inline bool pending_count_again(struct pending *pending, u64 pc)
{
	u8 at = pending->newest[hash_64(pc, PENDING_BITS)];
	u32 nearer_than = pending->head - pending->tail;
	int searched;

	for (searched = 0; searched < PENDING_SEARCH_MAX; searched++) {
		u32 distance = (at - pending->tail) % PENDING_MAX;

		if (!distance || distance >= nearer_than)
			return false;
		if (pending->pc[at] == pc && pending->count[at] < U16_MAX) {
			pending->count[at]++;
			return true;
		}
		nearer_than = distance;
		at = pending->older[at];
	}
	return false;
}

/* Under the lock; false when the ring is full. */
static inline bool pending_append(struct pending *pending, u64 pc)
{
	u8 *newest = &pending->newest[hash_64(pc, PENDING_BITS)];
	u32 at = pending->head % PENDING_MAX;

	if (pending->head - pending->tail >= PENDING_MAX)
		return false;
	pending->pc[at] = pc;
	pending->count[at] = 1;
	pending->older[at] = *newest;
	*newest = at;
	pending->head++;
	return true;
}

/* Any context. False when the sample does not fit. */
static inline bool pending_push(struct pending *pending, u64 pc)
{
	unsigned long flags;
	bool taken;

	raw_spin_lock_irqsave(&pending->lock, flags);
	taken = pending_count_again(pending, pc) || pending_append(pending, pc);
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return taken;
}

/* Look at the oldest PC. Returns how many samples are at it; 0: there is none. */
static inline u32 pending_peek(struct pending *pending, u64 *pc)
{
	unsigned long flags;
	u32 at, count = 0;

	raw_spin_lock_irqsave(&pending->lock, flags);
	at = pending->tail % PENDING_MAX;
	if (pending->head != pending->tail) {
		*pc = pending->pc[at];
		count = pending->count[at];
	}
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return count;
}

/* The oldest PC, and all samples at it, are done with. */
static inline void pending_pop(struct pending *pending)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pending->lock, flags);
	pending->tail++;
	raw_spin_unlock_irqrestore(&pending->lock, flags);
}

/* Whether nothing waits; what is pushed meanwhile may be seen or not. */
static inline bool pending_empty(struct pending *pending)
{
	u64 pc;

	return !pending_peek(pending, &pc);
}

/* The ring's position after the newest PC, for pending_passed(). */
static inline u32 pending_position(struct pending *pending)
{
	unsigned long flags;
	u32 head;

	raw_spin_lock_irqsave(&pending->lock, flags);
	head = pending->head;
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return head;
}

/* Whether all PCs up to @position are done with. */
static inline bool pending_passed(struct pending *pending, u32 position)
{
	unsigned long flags;
	bool passed;

	raw_spin_lock_irqsave(&pending->lock, flags);
	passed = (s32)(pending->tail - position) >= 0;
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return passed;
}

#endif /* PROFIL_PENDING_H */
