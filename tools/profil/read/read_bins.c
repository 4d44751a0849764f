// SPDX-License-Identifier: GPL-2.0-only
/* Bins of a histogram, in pieces: all of them may be longer than memory */
#include "include/gmon_layout.h"
#include "read/read_bins.h"

#define MAX_BINS (INPUT_PIECE / GMON_BIN_SIZE)

enum read_error profil_read_bins(struct input *input, struct gprof_data *data,
				 const struct histogram *wanted,
				 enum read_part part)
{
	struct histogram *histogram;
	enum read_error wrong;

	if (wanted->nr > profil_input_left(input) / GMON_BIN_SIZE)
		return profil_input_cut(input, part);
	wrong = profil_gprof_data_histogram(data, wanted, &histogram);
	for (size_t first = 0; !wrong && first < wanted->nr;
	     first += MAX_BINS) {
		size_t nr = wanted->nr - first;
		const unsigned char *bins;

		if (nr > MAX_BINS)
			nr = MAX_BINS;
		bins = profil_input_take(input, nr * GMON_BIN_SIZE, part);
		if (!bins)
			return READ_CUT;
		wrong = profil_gprof_data_add_bins(data, histogram, first, nr,
						   bins);
	}
	return wrong;
}
