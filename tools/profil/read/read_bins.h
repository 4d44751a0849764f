/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_READ_BINS_H
#define PROFIL_READ_BINS_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Take the bins of the histogram @wanted, counters of 16 bits, and add them to
 * @data. False if the file ends before, or does not fit @data. @part names the
 * bins in a message.
 */
bool profil_read_bins(struct input *input, struct gprof_data *data,
		      const struct histogram *wanted, const char *part);

#endif
