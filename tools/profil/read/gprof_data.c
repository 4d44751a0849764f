// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of the data of gprof(1) or prof(1)
 *
 * The histogram of a large program has hundreds of millions of bins. Few of them
 * have samples, and nearly none has more than 32 bits can count.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/gmon_layout.h"
#include "read/gprof_data.h"
#include "util/array.h"
#include "util/memory.h"

/* Bins that are read at once: all of them may be longer than memory. */
#define MAX_BINS (INPUT_PIECE / GMON_BIN_SIZE)

#define MAX_SAMPLES (UINT64_MAX / SAMPLE_PARTS)

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

enum read_error profil_gprof_data_set_rate(struct gprof_data *data,
					   unsigned int rate)
{
	if (data->rate && data->rate != rate)
		return READ_OTHER_RATE;
	data->rate = rate;
	return READ_OK;
}

/* Index of the first histogram that ends above @low */
static size_t find(const struct gprof_data *data, uint64_t low)
{
	size_t first = 0;
	size_t last = data->nr_histograms;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (data->histograms[middle].high <= low)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

static struct histogram *insert(struct gprof_data *data, size_t at)
{
	struct histogram *slot;

	data->histograms = array_room(data->histograms, data->nr_histograms,
				      sizeof(*slot));
	slot = &data->histograms[at];
	memmove(slot + 1, slot, (data->nr_histograms - at) * sizeof(*slot));
	data->nr_histograms++;
	return slot;
}

/*
 * Store the index of the histogram with the range and number of bins of @wanted
 * in @at, or the index at which to insert it, with @is_new.
 */
static enum read_error find_histogram(const struct gprof_data *data,
				      const struct histogram *wanted,
				      size_t *at, bool *is_new)
{
	const struct histogram *there;

	*at = find(data, wanted->low);
	*is_new = *at == data->nr_histograms ||
		  data->histograms[*at].low >= wanted->high;
	if (*is_new)
		return READ_OK;
	there = &data->histograms[*at];
	if (there->low != wanted->low || there->high != wanted->high)
		return READ_OVERLAP;
	if (there->nr != wanted->nr)
		return READ_OTHER_BINS;
	return READ_OK;
}

enum read_error profil_gprof_data_histogram(struct gprof_data *data,
					    const struct histogram *wanted,
					    struct histogram **histogram)
{
	bool is_new;
	size_t at;
	enum read_error wrong = find_histogram(data, wanted, &at, &is_new);

	if (wrong)
		return wrong;
	if (is_new)
		profil_bins_make(insert(data, at), wanted);
	*histogram = &data->histograms[at];
	return READ_OK;
}

static enum read_error add_samples(struct gprof_data *data,
				   struct histogram *histogram, size_t bin,
				   uint64_t samples)
{
	if (samples > MAX_SAMPLES - data->samples)
		return READ_MANY_SAMPLES;
	data->samples += samples;
	profil_bins_add(histogram, bin, samples);
	return READ_OK;
}

enum read_error profil_gprof_data_add_bins(struct gprof_data *data,
					   struct histogram *histogram,
					   size_t first, size_t nr,
					   const void *counters)
{
	enum read_error wrong = READ_OK;

	for (size_t i = 0; !wrong && i < nr; i++) {
		uint16_t counter;

		memcpy(&counter, (const char *)counters + i * sizeof(counter),
		       sizeof(counter));
		if (counter)
			wrong = add_samples(data, histogram, first + i,
					    counter);
	}
	return wrong;
}

enum read_error profil_gprof_data_add_arc(struct gprof_data *data,
					  struct gprof_arc arc)
{
	if (__builtin_add_overflow(data->calls, arc.count, &data->calls))
		return READ_MANY_CALLS;
	ARRAY_ADD(data->arcs, data->nr_arcs, arc);
	return READ_OK;
}

/* The bins of a new histogram are moved, not copied. */
static enum read_error add_histogram(struct gprof_data *data,
				     struct histogram *more)
{
	bool is_new;
	size_t at, bin;
	enum read_error wrong = find_histogram(data, more, &at, &is_new);

	if (wrong)
		return wrong;
	if (is_new) {
		*insert(data, at) = *more;
		more->chunks = NULL;
		return READ_OK;
	}
	for (bin = profil_bins_next(more, 0); bin < more->nr;
	     bin = profil_bins_next(more, bin + 1))
		profil_bins_add(&data->histograms[at], bin,
				profil_bins_get(more, bin));
	return READ_OK;
}

static enum read_error add_histograms(struct gprof_data *data,
				      struct gprof_data *more)
{
	enum read_error wrong = READ_OK;

	if (more->samples > MAX_SAMPLES - data->samples)
		return READ_MANY_SAMPLES;
	data->samples += more->samples;
	for (size_t i = 0; !wrong && i < more->nr_histograms; i++)
		wrong = add_histogram(data, &more->histograms[i]);
	return wrong;
}

static enum read_error check_kind(struct gprof_data *data,
				  const struct gprof_data *more)
{
	if (!data->kind) {
		data->kind = more->kind;
		data->word = more->word;
	}
	if (strcmp(data->kind, more->kind))
		return READ_OTHER_KIND;
	if (data->word != more->word)
		return READ_OTHER_WORD;
	return READ_OK;
}

enum read_error profil_gprof_data_merge(struct gprof_data *data,
					struct gprof_data *more)
{
	enum read_error wrong = check_kind(data, more);

	if (!wrong && more->rate)
		wrong = profil_gprof_data_set_rate(data, more->rate);
	if (!wrong)
		wrong = add_histograms(data, more);
	for (size_t i = 0; !wrong && i < more->nr_arcs; i++)
		wrong = profil_gprof_data_add_arc(data, more->arcs[i]);
	return wrong;
}

void profil_gprof_data_free(struct gprof_data *data)
{
	for (size_t i = 0; i < data->nr_histograms; i++)
		profil_bins_free(&data->histograms[i]);
	free(data->histograms);
	free(data->arcs);
	*data = (struct gprof_data){ 0 };
}

enum read_error profil_gprof_data_read_bins(struct gprof_data *data,
					    struct input *input,
					    const struct histogram *wanted,
					    enum read_part part)
{
	struct histogram *histogram;
	enum read_error wrong;

	if (wanted->nr > profil_input_left(input) / GMON_BIN_SIZE)
		return profil_input_cut(input, part);
	wrong = profil_gprof_data_histogram(data, wanted, &histogram);
	for (size_t first = 0; !wrong && first < wanted->nr;
	     first += MAX_BINS) {
		size_t nr = wanted->nr - first;
		const unsigned char *bins;

		if (nr > MAX_BINS)
			nr = MAX_BINS;
		bins = profil_input_take(input, nr * GMON_BIN_SIZE, part);
		if (!bins)
			return READ_CUT;
		wrong = profil_gprof_data_add_bins(data, histogram, first, nr,
						   bins);
	}
	return wrong;
}
