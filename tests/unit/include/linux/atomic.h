/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the kernel's <linux/atomic.h> that the pure code uses. A test may
 * write to the place of an exchange shortly before, as another CPU may.
 */
#ifndef UNIT_LINUX_ATOMIC_H
#define UNIT_LINUX_ATOMIC_H

#include <stddef.h>

void before_cmpxchg(void *at, size_t size);

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))

#define try_cmpxchg(at, old, new)                                        \
	({                                                               \
		before_cmpxchg((at), sizeof(*(at)));                     \
		__atomic_compare_exchange_n((at), (old),                 \
					    (__typeof__(*(at)))(new), 0, \
					    __ATOMIC_SEQ_CST,            \
					    __ATOMIC_SEQ_CST);           \
	})

#endif /* UNIT_LINUX_ATOMIC_H */
