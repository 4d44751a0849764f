/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats of gprof(1) and prof(1), and sums of files of one format */
#ifndef PROFIL_GPROF_H
#define PROFIL_GPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/input.h"

/*
 * Parts of a sample, which may be divided between functions. The number of
 * samples is limited so that their parts fit in 64 bits.
 */
#define SAMPLE_PARTS 1000000ULL
#define MAX_SAMPLES (UINT64_MAX / SAMPLE_PARTS)

/**
 * struct histogram - range of addresses in bins of equal length
 * @low: address at which the first bin begins
 * @high: address after the last bin; a bin need not end at an address
 * @nr: number of bins, not above the number of addresses
 */
struct histogram {
	uint64_t low;
	uint64_t high;
	size_t nr;
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
 * struct gprof_data - what is known of all files
 * @kind: name of the format, gmon.out or mon.out
 * @word: bytes of an address
 * @rate: samples a second; 0 if not known
 * @samples: samples that were passed on
 * @calls: calls in all arcs
 * @histograms: histograms in ascending order, without overlaps
 * @nr_histograms: elements of @histograms
 */
struct gprof_data {
	const char *kind;
	unsigned int word;
	unsigned int rate;
	uint64_t samples;
	uint64_t calls;
	struct histogram *histograms;
	size_t nr_histograms;
};

/**
 * struct gprof_sink - receiver of samples and calls
 * @add_bin: takes samples, more than 0, of bin @bin of @histogram
 * @add_arc: takes calls
 * @to: first argument of both
 */
struct gprof_sink {
	void (*add_bin)(void *to, const struct histogram *histogram, size_t bin,
			uint64_t samples);
	void (*add_arc)(void *to, const struct gprof_arc *arc);
	void *to;
};

/*
 * Detect the format of @input by its content, check it, and add what is known of
 * it to @data. Addresses of 4 bytes are tried if those of 8 make no sense.
 */
bool profil_gprof_check(struct input *input, struct gprof_data *data);

/* Pass the samples and calls of @input, which was checked, on to @sink. */
bool profil_gprof_read(struct input *input, struct gprof_data *data,
		       const struct gprof_sink *sink);

/* @input has one of the formats, even if it is malformed. */
bool profil_gprof_is(struct input *input);

/* The reason why files of different formats cannot be added up */
extern const char *const profil_gprof_other_kind;

#endif
