// SPDX-License-Identifier: GPL-2.0-only
/* Sums of the data of gprof(1) or prof(1) */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "read/gprof_data.h"
#include "util/memory.h"

#define MAX_SAMPLES (UINT64_MAX / SAMPLE_PARTS)

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

	if (data->nr_histograms == data->histograms_room) {
		data->histograms_room =
			data->histograms_room ? 2 * data->histograms_room : 4;
		data->histograms = profil_grow(data->histograms,
					       data->histograms_room,
					       sizeof(*data->histograms));
	}
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
	if (data->nr_arcs == data->arcs_room) {
		data->arcs_room = data->arcs_room ? 2 * data->arcs_room : 64;
		data->arcs = profil_grow(data->arcs, data->arcs_room,
					 sizeof(*data->arcs));
	}
	data->arcs[data->nr_arcs++] = arc;
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
