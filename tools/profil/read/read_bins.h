/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_READ_BINS_H
#define PROFIL_READ_BINS_H

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Take the bins of the histogram @wanted, counters of 16 bits, and add them to
 * @data. @part is the part of the file that the bins are.
 */
enum read_error profil_read_bins(struct input *input, struct gprof_data *data,
				 const struct histogram *wanted,
				 enum read_part part);

#endif
