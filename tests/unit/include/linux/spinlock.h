/* SPDX-License-Identifier: GPL-2.0-only */
/* <linux/spinlock.h> for one thread: checks that lock and unlock pair. */
#ifndef UNIT_LINUX_SPINLOCK_H
#define UNIT_LINUX_SPINLOCK_H

#include <assert.h>
#include <stdbool.h>

struct unit_lock {
	bool held;
};

#define raw_spinlock_t struct unit_lock

#define raw_spin_lock_init(lock) ((lock)->held = false)

#define raw_spin_lock_irqsave(lock, flags) \
	do {                               \
		assert(!(lock)->held);     \
		(lock)->held = true;       \
		(flags) = 1;               \
	} while (0)

#define raw_spin_unlock_irqrestore(lock, flags)  \
	do {                                     \
		assert((lock)->held && (flags)); \
		(lock)->held = false;            \
	} while (0)

#define spinlock_t struct unit_lock
#define spin_lock_init(lock) ((lock)->held = false)
#define spin_lock(lock) (assert(!(lock)->held), (lock)->held = true)
#define spin_unlock(lock) (assert((lock)->held), (lock)->held = false)

#endif /* UNIT_LINUX_SPINLOCK_H */
