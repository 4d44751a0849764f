/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <linux/atomic.h> for a proof: the program and other CPUs may write before each
 * access.
 */
#ifndef PROOF_LINUX_ATOMIC_H
#define PROOF_LINUX_ATOMIC_H

#include <linux/types.h>

#include "proof.h"

/* Defined by the proof. An exchange is of @bytes, @seen before it. */
static void others_write(void);
static void note_read(u64 seen);
static void note_exchange(u64 seen, u64 new, size_t bytes, bool done);

#define READ_ONCE(x)                 \
	({                           \
		__typeof__(x) seen_; \
		others_write();      \
		seen_ = (x);         \
		note_read(seen_);    \
		seen_;               \
	})

#define try_cmpxchg(at, old, new)                                \
	({                                                       \
		__typeof__(*(at)) seen_, new_ = (new);           \
		bool done_;                                      \
		others_write();                                  \
		seen_ = *(at);                                   \
		done_ = seen_ == *(old);                         \
		if (done_)                                       \
			*(at) = new_;                            \
		*(old) = seen_;                                  \
		note_exchange(seen_, new_, sizeof(new_), done_); \
		done_;                                           \
	})

#endif /* PROOF_LINUX_ATOMIC_H */
