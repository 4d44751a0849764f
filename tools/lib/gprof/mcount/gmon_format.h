/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing gmon.out in the format that gprof(1) reads
 *
 * No malloc() and no libc function that might use vector registers: a file may
 * be written wherever a signal handler may run. Addresses are link-time
 * addresses, as in the object's symbol table.
 */
#ifndef PROFIL_LIB_GMON_FORMAT_H
#define PROFIL_LIB_GMON_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gprof/mcount/outfile.h"

/**
 * enum gmon_format - variant of gmon.out
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
 * @bins: number of bins
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
 * @count: number of calls
 */
struct gmon_arc {
	uint64_t from;
	uint64_t self;
	uint64_t count;
};

/* A file that is being written; the fields are private to gmon_format.c. */
struct gmon_file {
	struct outfile out;
	enum gmon_format format;
	bool has_hist;
};

/*
 * All return 0 or -errno. After an error each returns the same error, and the
 * file is incomplete.
 *
 * open: create the file, or empty it; -ELOOP for a symbolic link and -EINVAL for
 * a file that is not regular. A file that failed to open needs no close.
 *
 * hist: counts above 65535 continue in further records of the same range.
 * 4.4BSD's format has one histogram, which comes first and stops at 65535:
 * -EINVAL for a second one, and for an arc before it. @rate is in samples per
 * second. -E2BIG for more bins than the format can express.
 *
 * arc: counts above 2^31-1 are split into several records, which add up.
 */
int profil_gmon_file_open(struct gmon_file *file, const char *path,
			  enum gmon_format format);
int profil_gmon_file_hist(struct gmon_file *file, const struct gmon_hist *hist,
			  uint32_t rate);
int profil_gmon_file_arc(struct gmon_file *file, const struct gmon_arc *arc);
int profil_gmon_file_close(struct gmon_file *file);

#endif
