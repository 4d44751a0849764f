/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data of gprof(1) or prof(1): the content of a gmon.out or mon.out, or the sum
 * of several files of one format
 */
#ifndef PROFIL_GPROF_DATA_H
#define PROFIL_GPROF_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "read/input.h"

/*
 * Parts of a sample, which may be divided between functions. The number of
 * samples is limited so that their parts fit in 64 bits.
 */
#define SAMPLE_PARTS 1000000ULL

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

/**
 * struct gprof_arc - calls of a function from one call site
 * @from: return address; 0 in a mon.out
 * @self: address in the function that is called
 * @count: number of calls
 */
struct gprof_arc {
	uint64_t from;
	uint64_t self;
	uint64_t count;
};

/**
 * struct gprof_data - histograms and arcs
 * @kind: name of the format, gmon.out or mon.out
 * @word: bytes of an address
 * @rate: samples a second; 0 if not known
 * @samples: samples in all histograms
 * @calls: calls in all arcs
 * @histograms: histograms in ascending order, without overlaps
 * @nr_histograms: elements of @histograms
 * @arcs: arcs in any order, with duplicates
 * @nr_arcs: elements of @arcs
 */
struct gprof_data {
	const char *kind;
	unsigned int word;
	unsigned int rate;
	uint64_t samples;
	uint64_t calls;
	struct histogram *histograms;
	size_t nr_histograms;
	struct gprof_arc *arcs;
	size_t nr_arcs;
};

/* Make a histogram with the range and number of bins of @like, but empty. */
void profil_bins_make(struct histogram *histogram,
		      const struct histogram *like);
void profil_bins_free(struct histogram *histogram);

void profil_bins_add(struct histogram *histogram, size_t bin, uint64_t samples);
uint64_t profil_bins_get(const struct histogram *histogram, size_t bin);

/* First bin with samples at @bin or after it; @nr if there is none */
size_t profil_bins_next(const struct histogram *histogram, size_t bin);

/* Set the rate; fails if there is another one already. */
enum read_error profil_gprof_data_set_rate(struct gprof_data *data,
					   unsigned int rate);

/*
 * Find the histogram with the range and number of bins of @wanted, or add one
 * without samples; fails if @wanted overlaps a different histogram.
 */
enum read_error profil_gprof_data_histogram(struct gprof_data *data,
					    const struct histogram *wanted,
					    struct histogram **histogram);

/* Add @nr counters of 16 bits to the bins of @histogram from @first on. */
enum read_error profil_gprof_data_add_bins(struct gprof_data *data,
					   struct histogram *histogram,
					   size_t first, size_t nr,
					   const void *counters);

/*
 * Take the bins of the histogram @wanted, counters of 16 bits, and add them to
 * @data. @part is the part of the file that the bins are.
 */
enum read_error profil_gprof_data_read_bins(struct gprof_data *data,
					    struct input *input,
					    const struct histogram *wanted,
					    enum read_part part);
enum read_error profil_gprof_data_add_arc(struct gprof_data *data,
					  struct gprof_arc arc);

/* Add @more to @data, which may be empty; memory of @more may move to @data. */
enum read_error profil_gprof_data_merge(struct gprof_data *data,
					struct gprof_data *more);

void profil_gprof_data_free(struct gprof_data *data);

#endif
