// SPDX-License-Identifier: GPL-2.0-only
/* Reading the bins of a histogram, which may be longer than memory */
#include "read/read_bins.h"

#define BIN 2
#define MOST (DATAFILE_PIECE / BIN)

bool profil_binread(struct datafile *file, struct counts *counts,
		    const struct histogram *wanted, const char *part)
{
	struct histogram *histogram;
	const char *wrong = NULL;

	if (wanted->nr > profil_datafile_left(file) / BIN)
		return profil_refuse(file, "it ends in the middle of %s", part);
	wrong = profil_counts_histogram(counts, wanted, &histogram);
	for (size_t first = 0; !wrong && first < wanted->nr; first += MOST) {
		size_t nr = wanted->nr - first;
		const unsigned char *bins;

		if (nr > MOST)
			nr = MOST;
		bins = profil_datafile_take(file, nr * BIN, part);
		if (!bins)
			return false;
		wrong = profil_counts_bins(counts, histogram, first, nr, bins);
	}
	return profil_accept(file, wrong);
}
