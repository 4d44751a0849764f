/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which counter a sample belongs to, by the formulas of the manuals
 *
 * The loop of a site is one instruction, so that its PC is known exactly.
 */
#ifndef TESTS_EXPECTED_COUNTS_H
#define TESTS_EXPECTED_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PC of a thread that spins at site @nr */
uintptr_t site_pc(unsigned int nr);

/*
 * Index of a counter in 4.4BSD: floor(floor(distance / width) * scale / 65536)
 */
uint64_t bsd_index(uint64_t distance, unsigned int width, uint64_t scale);

/* Index in AIX: the byte offset, rounded up to the next half-word */
uint64_t aix_index(uint64_t distance, uint64_t scale);

/*
 * Spin at site @nr until the counter @index of @counters has some more samples.
 * False if none come, or if another of the @count counters changes; the ones from
 * @first to @last, of the instructions around the loop, may change by
 * less than @index does.
 */
bool counts_between(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t first, size_t index, size_t last);

/*
 * The same for at most one counter for 2 bytes of text: from two counters before
 * @index, for the instruction before the loop, to one behind it.
 */
bool counts_only_at(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t index);

/*
 * Spin at site @nr for several ticks: false if one of @count counters changes.
 */
bool counts_nowhere(unsigned int nr, void *counters, unsigned int width,
		    size_t count);

/* 0, or errno if @ret is -1. Any other @ret is returned as it is. */
int errno_of(int ret);

#endif /* TESTS_EXPECTED_COUNTS_H */
