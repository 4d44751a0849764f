/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_BINS_H
#define PROFIL_BINS_H

#include <stddef.h>
#include <stdint.h>

/* Bins in a chunk */
#define HISTOGRAM_CHUNK 4096

/**
 * struct chunk - HISTOGRAM_CHUNK bins; without memory while they have no samples
 * @small: the bins, while 32 bits are enough for each
 * @large: the bins afterwards
 */
struct chunk {
	uint32_t *small;
	uint64_t *large;
};

/**
 * struct histogram - samples by address, in bins of equal length
 * @low: address at which the first bin begins
 * @high: address after the last bin; a bin need not end at an address
 * @nr: number of bins, not above the number of addresses
 * @chunks: the bins
 */
struct histogram {
	uint64_t low;
	uint64_t high;
	size_t nr;
	struct chunk *chunks;
};

/* Make a histogram with the range and number of bins of @like, but empty. */
void profil_bins_make(struct histogram *histogram,
		      const struct histogram *like);
void profil_bins_free(struct histogram *histogram);

void profil_bins_add(struct histogram *histogram, size_t bin, uint64_t samples);
uint64_t profil_bins_get(const struct histogram *histogram, size_t bin);

/* First bin with samples at @bin or after it; @nr if there is none */
size_t profil_bins_next(const struct histogram *histogram, size_t bin);

#endif
