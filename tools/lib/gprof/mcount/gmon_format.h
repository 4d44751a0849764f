/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing gmon.out, as gprof(1) reads it
 *
 * No malloc and nothing of the libc that might use vector registers, so a file
 * may be written at any place in a program where a signal handler may run.
 * Addresses are link-time ones, as they are in the object's symbol table.
 */
#ifndef PROFIL_LIB_GMON_FORMAT_H
#define PROFIL_LIB_GMON_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gprof/mcount/outfile.h"

/**
 * enum gmon_format - which gmon.out
 * @GMON_GNU: tagged records, as glibc writes them
 * @GMON_BSD: 4.4BSD's header, one histogram, then the arcs
 */
enum gmon_format { GMON_GNU, GMON_BSD };

/**
 * struct gmon_hist - a histogram
 * @low: lowest address
 * @high: address after the last; the bins divide the range evenly
 * @counters: one for each bin
 * @width: bytes of a counter: 2, 4 or 8
 * @bins: how many
 */
struct gmon_hist {
	uint64_t low;
	uint64_t high;
	const void *counters;
	uint32_t width;
	uint64_t bins;
};

/**
 * struct gmon_arc - calls of one function from one place
 * @from: the return address, in the caller
 * @self: an address in the function that is called
 * @count: how many calls
 */
struct gmon_arc {
	uint64_t from;
	uint64_t self;
	uint64_t count;
};

/* A file that is being written; its fields are the writer's own. */
struct gmon_file {
	struct outfile out;
	enum gmon_format format;
	bool has_hist;
};

/*
 * All return 0 or -errno, and after an error each returns that error. The file
 * is incomplete then.
 *
 * open: makes the file, or empties it; -ELOOP for a symbolic link and -EINVAL
 * for what is no regular file. There is nothing to close after an error.
 *
 * hist: counts above 65535 are written as so many more records of the same
 * range. 4.4BSD's format has one histogram, which comes first and stops at
 * 65535: -EINVAL for a second one, and for an arc without one before. @rate is
 * in samples per second. -E2BIG if there are more bins than the format can say.
 *
 * arc: counts above 2^31-1 are written as several records, which add up.
 */
int profil_gmon_file_open(struct gmon_file *file, const char *path,
			  enum gmon_format format);
int profil_gmon_file_hist(struct gmon_file *file, const struct gmon_hist *hist,
			  uint32_t rate);
int profil_gmon_file_arc(struct gmon_file *file, const struct gmon_arc *arc);
int profil_gmon_file_close(struct gmon_file *file);

#endif
