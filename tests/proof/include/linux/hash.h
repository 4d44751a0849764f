/* SPDX-License-Identifier: GPL-2.0-only */
/* <linux/hash.h> for a proof, which holds for any hash. */
#ifndef PROOF_LINUX_HASH_H
#define PROOF_LINUX_HASH_H

#include <linux/types.h>

#include "proof.h"

u32 __CPROVER_uninterpreted_hash(u64 value);

static inline u32 hash_64(u64 value, unsigned int bits)
{
	u32 hash = __CPROVER_uninterpreted_hash(value);

	assume(hash < 1U << bits);
	return hash;
}

#endif /* PROOF_LINUX_HASH_H */
