/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <linux/spinlock.h> for a proof: other CPUs may have done anything that a proof
 * allows before the lock is taken, and nothing while it is held.
 */
#ifndef PROOF_LINUX_SPINLOCK_H
#define PROOF_LINUX_SPINLOCK_H

#include "proof.h"

struct proof_lock {
	bool held;
};

#define raw_spinlock_t struct proof_lock

/* Defined by the proof */
static void others_run(void);

static inline void raw_spin_lock_init(raw_spinlock_t *lock)
{
	lock->held = false;
}

static inline void proof_lock(raw_spinlock_t *lock)
{
	prove(!lock->held, "the lock is free");
	others_run();
	lock->held = true;
}

static inline void proof_unlock(raw_spinlock_t *lock, unsigned long flags)
{
	prove(lock->held && flags, "the lock is held");
	lock->held = false;
}

#define raw_spin_lock_irqsave(lock, flags) \
	do {                               \
		proof_lock(lock);          \
		(flags) = 1;               \
	} while (0)

#define raw_spin_unlock_irqrestore(lock, flags) proof_unlock(lock, flags)

#endif /* PROOF_LINUX_SPINLOCK_H */
