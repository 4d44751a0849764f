/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the kernel's <linux/atomic.h> that src/counter.h needs. No
 * try_cmpxchg() succeeds, as if another CPU always changed the counter first.
 */
#ifndef BENCH_NEVER_LINUX_ATOMIC_H
#define BENCH_NEVER_LINUX_ATOMIC_H

#include <linux/types.h>

#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))

/* The instruction compares with a value that a counter of 0 does not have. */
#define try_cmpxchg(at, old, new)                              \
	({                                                     \
		*(old) = (typeof(*(at)))~*(old);               \
		__atomic_compare_exchange_n(at, (old), new, 0, \
					    __ATOMIC_SEQ_CST,  \
					    __ATOMIC_SEQ_CST); \
	})

#endif /* BENCH_NEVER_LINUX_ATOMIC_H */
