/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending samples: a ring of PCs with the number of samples deferred at each. A sample
 * without room is lost, and the caller counts it. Hard interrupts push, with a lock that
 * all CPUs of a process share. Pure but for the lock: compiles on the host too.
 */
#ifndef PROFIL_PENDING_H
#define PROFIL_PENDING_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/*
 * Samples are deferred for as long as another task holds mmap_lock for writing. A thread
 * in a long system call stays at one PC, and takes one entry. For running threads this is
 * one second of one CPU at the tick, a quarter of a second at 1 kHz. An index fits in a u8.
 */
#define PENDING_MAX 256

/* In a full ring a bucket has four PCs on average. */
#define PENDING_BITS 6

/*
 * The most PCs of a bucket that are searched. One beyond them takes another entry, as does
 * one whose entry has reached its maximal count.
 */
#define PENDING_SEARCH_MAX 8

/* The most samples of an entry. */
#define PENDING_SAMPLES_MAX U16_MAX

/**
 * struct pending - a ring of PCs, and a hash table of the PCs in it
 * @lock: a raw one, taken in hard interrupts; guards the rest
 * @head: entry of the next new PC, modulo PENDING_MAX. Read without the lock, too
 * @tail: entry of the oldest PC
 * @pc: the ring
 * @samples: their number at each PC of the ring, 1 or more
 * @older: entry of the next older PC in the same bucket, if still in the ring
 * @newest: entry of the newest PC in each bucket, if still in the ring
 */
struct pending {
	raw_spinlock_t lock;
	u32 head;
	u32 tail;
	u64 pc[PENDING_MAX];
	u16 samples[PENDING_MAX];
	u8 older[PENDING_MAX];
	u8 newest[1 << PENDING_BITS];
};

static inline void pending_init(struct pending *pending)
{
	raw_spin_lock_init(&pending->lock);
	pending->head = 0;
	pending->tail = 0;
}

/* Is entry @at of @pc, with room for another sample? */
static inline bool pending_takes(const struct pending *pending, u8 at, u64 pc)
{
	return pending->pc[at] == pc &&
	       pending->samples[at] < PENDING_SAMPLES_MAX;
}

/*
 * Count one more sample at @pc, if it is in the ring. Under the lock. Entries are not
 * removed from their buckets: one that is not nearer to the tail than its predecessor has
 * been reused, or is empty, and so are all older ones.
 */
static inline bool pending_count_again(struct pending *pending, u64 pc)
{
	u8 at = pending->newest[hash_64(pc, PENDING_BITS)];
	u32 nearer_than = pending->head - pending->tail;
	int searched;

	for (searched = 0; searched < PENDING_SEARCH_MAX; searched++) {
		u32 distance = (at - pending->tail) % PENDING_MAX;

		if (distance >= nearer_than)
			return false;
		if (pending_takes(pending, at, pc)) {
			pending->samples[at]++;
			return true;
		}
		nearer_than = distance;
		at = pending->older[at];
	}
	return false;
}

/* Append @pc; false when the ring is full. Under the lock. */
static inline bool pending_append(struct pending *pending, u64 pc)
{
	u8 *newest = &pending->newest[hash_64(pc, PENDING_BITS)];
	u32 at = pending->head % PENDING_MAX;

	if (pending->head - pending->tail >= PENDING_MAX)
		return false;
	pending->pc[at] = pc;
	pending->samples[at] = 1;
	pending->older[at] = *newest;
	*newest = at;
	WRITE_ONCE(pending->head, pending->head + 1);
	return true;
}

/* Defer a sample at @pc; false when there is no room. Any context. */
static inline bool pending_push(struct pending *pending, u64 pc)
{
	unsigned long flags;
	bool taken;

	raw_spin_lock_irqsave(&pending->lock, flags);
	taken = pending_count_again(pending, pc) || pending_append(pending, pc);
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return taken;
}

/*
 * Remove the oldest PC, unless that is at @end. Returns its samples, and sets the PC; 0 if
 * there is none.
 */
static inline u32 pending_take(struct pending *pending, u32 end, u64 *pc)
{
	unsigned long flags;
	u32 at, count = 0;

	raw_spin_lock_irqsave(&pending->lock, flags);
	at = pending->tail % PENDING_MAX;
	if (pending->tail != end) {
		*pc = pending->pc[at];
		count = pending->samples[at];
		pending->tail++;
	}
	raw_spin_unlock_irqrestore(&pending->lock, flags);
	return count;
}

#endif /* PROFIL_PENDING_H */
