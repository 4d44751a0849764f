/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending samples: PCs whose counter could not be written where the sample was
 * taken, and how often each came. Bounded; what does not fit is lost, and the
 * caller counts it so. Pure but for the lock: compiles on the host too.
 */
#ifndef PROFIL_PENDING_H
#define PROFIL_PENDING_H

#include <linux/spinlock.h>
#include <linux/types.h>

/*
 * Misses wait for as long as somebody holds mmap_lock for writing, as fork
 * does. A thread in a long system call has one PC all the while, and so takes
 * one place. Of threads that run, this is as many samples as there may be
 * different ones: at the tick a second of one CPU, at 1 kHz a quarter.
 */
#define PENDING_MAX 256

/**
 * struct pending - a ring of PCs
 * @lock: a raw one, taken in hard interrupts; guards the rest
 * @head: where the next new PC goes, modulo PENDING_MAX
 * @tail: the oldest PC, which stays until it is done with
 * @pc: the ring
 * @count: samples at each, 1 or more
 */
struct pending {
	raw_spinlock_t lock;
	u32 head;
	u32 tail;
	u64 pc[PENDING_MAX];
	u32 count[PENDING_MAX];
};

static inline void pending_init(struct pending *pending)
{
	raw_spin_lock_init(&pending->lock);
	pending->head = 0;
	pending->tail = 0;
}

/*
 * Under the lock: count one more at @pc, if it is there. Not at the oldest,
 * which somebody may have looked at and be at work on.
 */
static inline bool pending_count_again(struct pending *pending, u64 pc)
{
	u32 i, nr = pending->head - pending->tail;

	for (i = 1; i < nr; i++) {
		u32 at = (pending->tail + i) % PENDING_MAX;

		if (pending->pc[at] == pc) {
			pending->count[at]++;
			return true;
		}
	}
	return false;
}

/* Under the lock; false when the ring is full. */
static inline bool pending_append(struct pending *pending, u64 pc)
{
	u32 at = pending->head % PENDING_MAX;

	if (pending->head - pending->tail >= PENDING_MAX)
		return false;
	pending->pc[at] = pc;
	pending->count[at] = 1;
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
