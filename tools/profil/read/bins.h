/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_BINS_H
#define PROFIL_BINS_H

#include <stddef.h>
#include <stdint.h>

/* Bins of a chunk */
#define HISTOGRAM_CHUNK 4096

/**
 * struct chunk - samples in HISTOGRAM_CHUNK bins, or in none of them
 * @small: the bins, as long as 32 bits are enough for each
 * @large: the bins, when they are not
 */
struct chunk {
	uint32_t *small;
	uint64_t *large;
};

/**
 * struct histogram - samples by address; bins of equal, maybe broken, length
 * @low: where the first bin begins
 * @high: where the last bin ends
 * @nr: how many bins; no more than there are addresses
 * @chunks: the bins, of which only chunks with samples take memory
 */
struct histogram {
	uint64_t low;
	uint64_t high;
	size_t nr;
	struct chunk *chunks;
};

/* One of the range and the number of bins of @like, without samples */
void profil_bins_make(struct histogram *histogram,
		      const struct histogram *like);
void profil_bins_free(struct histogram *histogram);

void profil_bins_add(struct histogram *histogram, size_t bin, uint64_t samples);
uint64_t profil_bins_get(const struct histogram *histogram, size_t bin);

/* The first bin from @bin on that has samples; @nr if there is none */
size_t profil_bins_next(const struct histogram *histogram, size_t bin);

#endif
