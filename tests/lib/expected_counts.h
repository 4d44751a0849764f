/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a sample must land: the rules of the manuals, worked out once more
 *
 * A site's loop is one instruction, so its PC is known to the byte.
 */
#ifndef TESTS_EXPECTED_COUNTS_H
#define TESTS_EXPECTED_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The PC of a thread that spins at site @nr */
uintptr_t pc_of(unsigned int nr);

/* 4.4BSD: floor(floor(distance / width) * scale / 65536) */
uint64_t index_down(uint64_t distance, unsigned int width, uint64_t scale);

/* AIX: the byte offset, rounded up to the next half-word */
uint64_t index_up(uint64_t distance, uint64_t scale);

/*
 * Spin at site @nr till the counter @index of @counters has had some samples
 * more: false if none come, or if others of all @count counters have changed
 * meanwhile, but for those beside it, which may have had fewer.
 */
bool lands(unsigned int nr, void *counters, unsigned int width, size_t count,
	   size_t index);

/* Spin at site @nr for some ticks: false if one of @count counters changes. */
bool lands_nowhere(unsigned int nr, void *counters, unsigned int width,
		   size_t count);

/* 0, or the errno of a call that answers -1 and nothing else */
int result(int ret);

#endif /* TESTS_EXPECTED_COUNTS_H */
