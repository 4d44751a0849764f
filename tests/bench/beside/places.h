/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_BENCH_PLACES_H
#define TESTS_BENCH_PLACES_H

#include <linux/types.h>

/**
 * struct place - the key of a counter
 * @where: inode, or process
 * @device: of the inode, or 0
 * @at: offset in the file, or PC
 */
struct place {
	__u64 where;
	__u64 device;
	__u64 at;
};

/* What becomes of a sample */
enum { COUNTED, NO_PROGRAM, NOT_FOUND, FULL, NR_OUTCOMES };

#endif /* TESTS_BENCH_PLACES_H */
