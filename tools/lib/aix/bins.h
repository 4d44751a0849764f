/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bins of some bytes of text each, for the counters of a range */
#ifndef PROFIL_LIB_BINS_H
#define PROFIL_LIB_BINS_H

#include "aix/ranges.h"

/**
 * struct bins - the bins of a range, from its p_low on
 * @counts: the bins
 * @nr: how many
 * @mapped: bytes of the mapping that they are in
 */
struct bins {
	HISTCOUNTER *counts;
	uint64_t nr;
	size_t mapped;
};

/*
 * Spread each counter of @prof over the bins, of @text bytes each, that its text
 * begins in; @nr of them, and what is behind them counts in the last. The sum
 * stays the same. 0, or -ENOMEM.
 */
int profil_bins_make(struct bins *bins, const struct prof *prof,
		     unsigned int text, uint64_t nr);
void profil_bins_free(struct bins *bins);

#endif
