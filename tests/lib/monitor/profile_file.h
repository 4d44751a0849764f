/* SPDX-License-Identifier: GPL-2.0-only */
/* mon.out and gmon.out, read as they are laid out in public */
#ifndef TESTS_PROFILE_FILE_H
#define TESTS_PROFILE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_BINS 1048576
#define MAX_CALLS 256
#define MAX_HISTS 4

struct calls {
	uint64_t from; /* 0 in mon.out */
	uint64_t self;
	uint64_t count;
};

struct hist {
	uint64_t low;
	uint64_t high;
	uint32_t rate; /* 0 in mon.out */
	uint32_t nr_bins;
	unsigned short bins[MAX_BINS];
};

/**
 * struct outfile - what is in a file of either kind
 * @nr_hists: 1 for mon.out
 * @nr_calls: elements of @calls
 */
struct outfile {
	unsigned int nr_hists;
	struct hist hists[MAX_HISTS];
	unsigned int nr_calls;
	struct calls calls[MAX_CALLS];
};

/* False, and a comment, unless the file is whole and has nothing unknown. */
bool mon_read(const char *path, struct outfile *out);
bool gmon_read(const char *path, struct outfile *out);

/* Samples in all bins */
uint64_t hist_sum(const struct hist *hist);

/* Samples in the bins that the text from @low up to @high has a part in */
uint64_t hist_sum_of(const struct hist *hist, uint64_t low, uint64_t high);

/* Calls of the functions from @low up to @high */
uint64_t calls_of(const struct outfile *out, uint64_t low, uint64_t high);

/* What a program's addresses have more than those in its file */
uint64_t program_base(void);

#endif /* TESTS_PROFILE_FILE_H */
