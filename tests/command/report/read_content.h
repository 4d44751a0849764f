/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_READ_CONTENT_H
#define TESTS_READ_CONTENT_H

#include "content.h"
#include "read/gprof.h"

#define NR_TAKEN 64

/**
 * struct taken - samples and calls of files
 * @data: what is known of the files
 * @bins: address at which each bin begins, and its samples
 * @nr_bins: elements of @bins
 * @arcs: calls
 * @nr_arcs: elements of @arcs
 */
struct taken {
	struct gprof_data data;
	struct {
		uint64_t address;
		uint64_t samples;
	} bins[NR_TAKEN];
	size_t nr_bins;
	struct gprof_arc arcs[NR_TAKEN];
	size_t nr_arcs;
};

/* Add @size bytes to @data and @sink. False if they are refused, with a message. */
bool read_input(const void *bytes, size_t size, char wrong[INPUT_WRONG],
		struct gprof_data *data, const struct gprof_sink *sink);

/* The same for the first @size bytes of @content, in memory that ends behind them */
bool read_content(const struct content *content, size_t size,
		  char wrong[INPUT_WRONG], struct taken *taken);

/* Samples of the bins that begin at @address */
uint64_t samples_at(const struct taken *taken, uint64_t address);

/* What was taken agrees with what is known of the files. */
bool are_sound(const struct taken *taken);

void free_taken(struct taken *taken);

#endif /* TESTS_READ_CONTENT_H */
