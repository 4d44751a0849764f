/* SPDX-License-Identifier: GPL-2.0-only */
/* What proofs have in common: values of any kind, assumed and asserted. */
#ifndef PROOF_H
#define PROOF_H

#include <linux/types.h>

u64 nondet_u64(void);
u32 nondet_u32(void);
bool nondet_bool(void);

#define assume(condition) __CPROVER_assume(condition)
#define prove(condition, sentence) __CPROVER_assert(condition, sentence)

#endif /* PROOF_H */
