/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of which CBMC knows only that equal arguments have equal results */
#ifndef PROOF_FORMULA_H
#define PROOF_FORMULA_H

#include <linux/types.h>

typedef unsigned __int128 u128;

/* The formula of profil(2), and the last distance with one of @nr counters */
u128 __CPROVER_uninterpreted_formula(u64 distance, u32 scale, u32 shift,
				     u32 rule);
u64 __CPROVER_uninterpreted_reach(u64 nr, u32 scale, u32 shift, u32 rule);

#define formula __CPROVER_uninterpreted_formula
#define any_reach __CPROVER_uninterpreted_reach

#endif /* PROOF_FORMULA_H */
