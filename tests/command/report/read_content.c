// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "read/detect.h"
#include "read_content.h"

bool read_content(const struct content *content, size_t size,
		  struct datafile *file, struct counts *counts)
{
	unsigned char *bytes = malloc(size ? size : 1);
	bool good;

	memcpy(bytes, content->bytes, size);
	/* A pointer to no bytes at all, as far as the sanitizer knows */
	profil_datafile_memory(file, "file", size ? bytes : bytes + 1, size);
	*counts = (struct counts){ 0 };
	good = profil_formats_read(file, counts);
	if (!good)
		profil_counts_free(counts);
	free(bytes);
	return good;
}

static bool is_sound(const struct histogram *histogram)
{
	return histogram->low < histogram->high && histogram->nr &&
	       histogram->nr <= histogram->high - histogram->low;
}

bool are_sound(const struct counts *counts)
{
	__u64 samples = 0, calls = 0, end = 0;

	for (size_t i = 0; i < counts->nr_histograms; i++) {
		const struct histogram *histogram = &counts->histograms[i];

		if (!is_sound(histogram) || histogram->low < end)
			return false;
		for (size_t j = 0; j < histogram->nr; j++)
			samples += profil_histogram_bin(histogram, j);
		end = histogram->high;
	}
	for (size_t i = 0; i < counts->nr_arcs; i++)
		calls += counts->arcs[i].count;
	return samples == counts->samples && calls == counts->calls;
}
