/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bins of equal size for the counters of a range */
#ifndef PROFIL_LIB_RANGE_BINS_H
#define PROFIL_LIB_RANGE_BINS_H

#include "aix/ranges.h"

/**
 * struct range_bins - the bins of a range, from its p_low on
 * @counts: the bins
 * @nr: number of bins
 * @mapped: bytes of the mapping of @counts
 */
struct range_bins {
	HISTCOUNTER *counts;
	uint64_t nr;
	size_t mapped;
};

/*
 * Make @nr bins of @text bytes of text each, and spread each counter of @prof
 * over the bins in which its text begins, the last bin for text after the bins.
 * The sum stays the same. 0, or -ENOMEM.
 */
int profil_range_bins_make(struct range_bins *bins, const struct prof *prof,
			   unsigned int text, uint64_t nr);
void profil_range_bins_free(struct range_bins *bins);

#endif
