/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending samples: PCs whose counter could not be written where the sample was
 * taken. Bounded; what does not fit is lost, and the caller counts it so.
 */
#ifndef PROFIL_PENDING_H
#define PROFIL_PENDING_H

#include <linux/spinlock.h>
#include <linux/types.h>

/*
 * Misses wait for as long as somebody holds mmap_lock for writing, as fork
 * does: at the tick this is a second of one CPU, at 1 kHz a quarter.
 */
#define PENDING_MAX 256

/**
 * struct pending - a ring of PCs
 * @lock: a raw one, taken in hard interrupts; guards the rest
 * @head: where the next PC goes, modulo PENDING_MAX
 * @tail: the oldest PC, which stays until it is done with
 * @pc: the ring
 */
struct pending {
	raw_spinlock_t lock;
	u32 head;
	u32 tail;
	u64 pc[PENDING_MAX];
};

static inline void pending_init(struct pending *pending)
{
	raw_spin_lock_init(&pending->lock);
	pending->head = 0;
	pending->tail = 0;
}

/* Any context. False when the ring is full. */
static inline bool pending_push(struct pending *pending, u64 pc)
{
	unsigned long flags;
	bool room;

	raw_spin_lock_irqsave(&pending->lock, flags);
	room = pending->head - pending->tail < PENDING_MAX;
	if (room)
		pending->pc[pending->head++ % PENDING_MAX] = pc;
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return room;
}

/* Look at the oldest PC; false when there is none. */
static inline bool pending_peek(struct pending *pending, u64 *pc)
{
	unsigned long flags;
	bool any;

	raw_spin_lock_irqsave(&pending->lock, flags);
	any = pending->head != pending->tail;
	if (any)
		*pc = pending->pc[pending->tail % PENDING_MAX];
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return any;
}

/* The oldest PC is done with. */
static inline void pending_pop(struct pending *pending)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pending->lock, flags);
	pending->tail++;
	raw_spin_unlock_irqrestore(&pending->lock, flags);
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
