/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats of gprof(1) and prof(1): from a file of one program or several to a profile */
#ifndef PROFIL_GPROF_H
#define PROFIL_GPROF_H

#include "util/base.h"

/*
 * Input: a file of profiling data that is read from its beginning to its end
 *
 * Numbers have the byte order of this machine. The file is not mapped: reading a
 * truncated mapping would raise SIGBUS.
 */

/* Bytes for the sentence */
#define INPUT_WRONG 256

/* Upper limit of bytes that can be taken at once */
#define INPUT_PIECE 8192

/* Bytes that may be looked at before they are taken */
#define INPUT_MARK 32

/*
 * A file of @size bytes, and the position in it
 * @at: offset of the next byte to take
 * @word: bytes of an address, 4 or 8
 * @sure: the content has confirmed @word
 * @wrong: the sentence, which follows the name of the file
 * @mark: begin of the file
 * @piece: bytes that were taken last
 * @next: the first of them that was not looked at
 * @data: what is known of the file, or of all files if there is @import; private
 * @import: program that gets the samples and calls, or NULL; private
 */
struct input {
	FILE *file;
	size_t size;
	size_t at;
	unsigned int word;
	bool sure;
	char wrong[INPUT_WRONG];
	size_t nr_mark;
	unsigned char mark[INPUT_MARK];
	unsigned char piece[INPUT_PIECE];
	const unsigned char *next;
	struct gprof_data *data;
	struct import *import;
};

/* Read @file, which the caller closes. */
void profil_input_begin(struct input *input, FILE *file);

/* Formats of gprof(1) and prof(1), and sums of files of one format */

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

/* Calls from one call site, the return address or 0 in a mon.out, to an address */
struct gprof_arc {
	uint64_t from;
	uint64_t self;
	uint64_t count;
};

/*
 * What is known of all files
 * @kind: name of the format, gmon.out or mon.out
 * @word: bytes of an address
 * @rate: samples a second; 0 if not known
 * @histograms: histograms in ascending order, without overlaps
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

struct import;

/*
 * Detect the format of @input by its content, check it, and add what is known of
 * it to @data. Addresses of 4 bytes are tried if those of 8 make no sense.
 */
bool profil_gprof_check(struct input *input, struct gprof_data *data);

/* Add the samples and calls of @input, which was checked, to @import. */
bool profil_gprof_read(struct input *input, struct gprof_data *data,
		       struct import *import);

/* @input has one of the formats, even if it is malformed. */
bool profil_gprof_is(struct input *input);

/* The reason why files of different formats cannot be added up */
extern const char *const profil_gprof_other_kind;

#endif
