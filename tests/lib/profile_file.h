/* SPDX-License-Identifier: GPL-2.0-only */
/* Readers of mon.out and gmon.out, written from their published formats */
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
 * struct profile_file - content of a mon.out or gmon.out
 * @is_bsd: a gmon.out with 4.4BSD's header
 * @nr_hists: histograms, 1 in mon.out
 * @hists: histograms
 * @nr_calls: elements of @calls
 * @calls: call counts of functions, or of arcs
 */
struct profile_file {
	bool is_bsd;
	unsigned int nr_hists;
	struct hist hists[MAX_HISTS];
	unsigned int nr_calls;
	struct calls calls[MAX_CALLS];
};

/*
 * False, with a comment printed, if the file is cut off or has unknown records.
 */
bool mon_out_read(const char *path, struct profile_file *out);
bool gmon_out_read(const char *path, struct profile_file *out);

/* Samples in all bins */
uint64_t hist_sum(const struct hist *hist);

/* Samples in the bins that overlap the text from @low up to @high */
uint64_t hist_sum_of(const struct hist *hist, uint64_t low, uint64_t high);

/* Calls of the functions from @low up to @high */
uint64_t calls_of(const struct profile_file *out, uint64_t low, uint64_t high);

/* Difference between a program's addresses and those in its file */
uint64_t program_base(void);

#endif /* TESTS_PROFILE_FILE_H */
