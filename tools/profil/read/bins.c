// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bins of a histogram in memory
 *
 * The histogram of a large program has hundreds of millions of bins. Few of them
 * have samples, and nearly none has more than 32 bits can count.
 */
#include <stdlib.h>
#include <string.h>

#include "read/bins.h"
#include "util/memory.h"

static size_t chunks_of(const struct histogram *histogram)
{
	return histogram->nr / HISTOGRAM_CHUNK + 1;
}

static void *zeros(size_t elements, size_t size)
{
	return memset(profil_grow(NULL, elements, size), 0, elements * size);
}

void profil_bins_make(struct histogram *histogram, const struct histogram *like)
{
	*histogram = *like;
	histogram->chunks =
		zeros(chunks_of(histogram), sizeof(*histogram->chunks));
}

void profil_bins_free(struct histogram *histogram)
{
	for (size_t i = 0; histogram->chunks && i < chunks_of(histogram); i++) {
		free(histogram->chunks[i].small);
		free(histogram->chunks[i].large);
	}
	free(histogram->chunks);
	histogram->chunks = NULL;
}

/* Bins in the chunk of @bin: fewer in the last chunk */
static size_t bins_of(const struct histogram *histogram, size_t bin)
{
	size_t left = histogram->nr - bin / HISTOGRAM_CHUNK * HISTOGRAM_CHUNK;

	return left < HISTOGRAM_CHUNK ? left : HISTOGRAM_CHUNK;
}

static void enlarge(struct chunk *chunk, size_t bins)
{
	chunk->large = profil_grow(NULL, bins, sizeof(*chunk->large));
	for (size_t i = 0; i < bins; i++)
		chunk->large[i] = chunk->small[i];
	free(chunk->small);
	chunk->small = NULL;
}

void profil_bins_add(struct histogram *histogram, size_t bin, uint64_t samples)
{
	struct chunk *chunk = &histogram->chunks[bin / HISTOGRAM_CHUNK];
	size_t at = bin % HISTOGRAM_CHUNK;

	if (!samples)
		return;
	if (!chunk->small && !chunk->large)
		chunk->small =
			zeros(bins_of(histogram, bin), sizeof(*chunk->small));
	if (chunk->small && samples > UINT32_MAX - chunk->small[at])
		enlarge(chunk, bins_of(histogram, bin));
	if (chunk->small)
		chunk->small[at] += samples;
	else
		chunk->large[at] += samples;
}

static uint64_t bin_of(const struct chunk *chunk, size_t at)
{
	if (chunk->small)
		return chunk->small[at];
	return chunk->large ? chunk->large[at] : 0;
}

uint64_t profil_bins_get(const struct histogram *histogram, size_t bin)
{
	return bin_of(&histogram->chunks[bin / HISTOGRAM_CHUNK],
		      bin % HISTOGRAM_CHUNK);
}

size_t profil_bins_next(const struct histogram *histogram, size_t bin)
{
	while (bin < histogram->nr) {
		const struct chunk *chunk =
			&histogram->chunks[bin / HISTOGRAM_CHUNK];

		if (!chunk->small && !chunk->large)
			bin += HISTOGRAM_CHUNK - bin % HISTOGRAM_CHUNK;
		else if (!bin_of(chunk, bin % HISTOGRAM_CHUNK))
			bin++;
		else
			return bin;
	}
	return histogram->nr;
}
