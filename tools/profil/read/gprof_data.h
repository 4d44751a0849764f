/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts: what a gmon.out or mon.out holds, or several of one kind together
 *
 * Whoever reads a file fills them in; they know nothing of files and symbols.
 */
#ifndef PROFIL_GPROF_DATA_H
#define PROFIL_GPROF_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "read/bins.h"

/*
 * A sample may be divided between functions, into so many parts. No more
 * samples are taken than there are numbers for the parts of.
 */
#define SAMPLE_PARTS 1000000ULL

/**
 * struct gprof_arc - calls from one place to one other
 * @from: the place after the call
 * @self: a place in the function called
 * @count: how many
 */
struct gprof_arc {
	uint64_t from;
	uint64_t self;
	uint64_t count;
};

/**
 * struct gprof_data - all of it
 * @kind: gmon.out or mon.out
 * @word: bytes of an address
 * @rate: samples a second; 0 if not known
 * @samples: samples in all histograms
 * @calls: calls in all arcs
 * @histograms: ascending, and nowhere overlapping
 * @nr_histograms: elements of @histograms
 * @histograms_room: allocated elements of @histograms
 * @arcs: in any order, a pair of places maybe several times; those of a mon.out
 *	have no @from
 * @nr_arcs: elements of @arcs
 * @arcs_room: allocated elements of @arcs
 */
struct gprof_data {
	const char *kind;
	unsigned int word;
	unsigned int rate;
	uint64_t samples;
	uint64_t calls;
	struct histogram *histograms;
	size_t nr_histograms;
	size_t histograms_room;
	struct gprof_arc *arcs;
	size_t nr_arcs;
	size_t arcs_room;
};

/*
 * Each of these returns what stands in its way, as part of a sentence whose
 * subject is the file; NULL if nothing does.
 */

/* Set the rate, which is @rate throughout. */
const char *profil_gprof_data_set_rate(struct gprof_data *data,
				       unsigned int rate);

/*
 * Have @histogram be the one with the range and the number of bins of @wanted,
 * which is new, without samples, if there was none.
 */
const char *profil_gprof_data_histogram(struct gprof_data *data,
					const struct histogram *wanted,
					struct histogram **histogram);

/* Add to the bins of @histogram from @first on @nr counters of 16 bits. */
const char *profil_gprof_data_add_bins(struct gprof_data *data,
				       struct histogram *histogram,
				       size_t first, size_t nr,
				       const void *counters);
const char *profil_gprof_data_add_arc(struct gprof_data *data,
				      struct gprof_arc arc);

/* Add @more to @data, which may be empty; what @more has may pass to it. */
const char *profil_gprof_data_merge(struct gprof_data *data,
				    struct gprof_data *more);

void profil_gprof_data_free(struct gprof_data *data);

#endif
