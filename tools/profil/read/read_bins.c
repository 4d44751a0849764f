// SPDX-License-Identifier: GPL-2.0-only
/* Reading the bins of a histogram, which may be longer than memory */
#include "read/read_bins.h"

#define BIN 2
#define MOST (INPUT_PIECE / BIN)

bool profil_read_bins(struct input *input, struct gprof_data *data,
		      const struct histogram *wanted, const char *part)
{
	struct histogram *histogram;
	const char *wrong = NULL;

	if (wanted->nr > profil_input_left(input) / BIN)
		return profil_input_refuse(input, "it ends in the middle of %s",
					   part);
	wrong = profil_gprof_data_histogram(data, wanted, &histogram);
	for (size_t first = 0; !wrong && first < wanted->nr; first += MOST) {
		size_t nr = wanted->nr - first;
		const unsigned char *bins;

		if (nr > MOST)
			nr = MOST;
		bins = profil_input_take(input, nr * BIN, part);
		if (!bins)
			return false;
		wrong = profil_gprof_data_add_bins(data, histogram, first, nr,
						   bins);
	}
	return profil_input_accept(input, wrong);
}
