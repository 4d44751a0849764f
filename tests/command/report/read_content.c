// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_content.h"

bool read_input(const void *bytes, size_t size, char wrong[INPUT_WRONG],
		struct gprof_data *data, const struct gprof_sink *sink)
{
	struct input input;
	bool good;

	profil_input_begin(&input, fmemopen((void *)bytes, size, "r"));
	good = profil_gprof_check(&input, data) &&
	       profil_gprof_read(&input, data, sink);
	profil_input_end(&input);
	if (!good)
		memcpy(wrong, input.wrong, INPUT_WRONG);
	return good;
}

static void add_bin(void *to, const struct histogram *histogram, size_t bin,
		    uint64_t samples)
{
	struct taken *taken = to;
	uint64_t length = (histogram->high - histogram->low) / histogram->nr;

	if (taken->nr_bins == NR_TAKEN || bin >= histogram->nr)
		abort();
	taken->bins[taken->nr_bins].address = histogram->low + bin * length;
	taken->bins[taken->nr_bins++].samples = samples;
}

static void add_arc(void *to, const struct gprof_arc *arc)
{
	struct taken *taken = to;

	if (taken->nr_arcs == NR_TAKEN)
		abort();
	taken->arcs[taken->nr_arcs++] = *arc;
}

bool read_content(const struct content *content, size_t size,
		  char wrong[INPUT_WRONG], struct taken *taken)
{
	const struct gprof_sink sink = { add_bin, add_arc, taken };
	unsigned char *bytes = malloc(size ? size : 1);
	bool good;

	memcpy(bytes, content->bytes, size);
	good = read_input(bytes, size, wrong, &taken->data, &sink);
	free(bytes);
	return good;
}

uint64_t samples_at(const struct taken *taken, uint64_t address)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < taken->nr_bins; i++)
		if (taken->bins[i].address == address)
			samples += taken->bins[i].samples;
	return samples;
}

static bool is_sound(const struct histogram *histogram)
{
	return histogram->low < histogram->high && histogram->nr &&
	       histogram->nr <= histogram->high - histogram->low;
}

bool are_sound(const struct taken *taken)
{
	const struct gprof_data *data = &taken->data;
	uint64_t samples = 0, calls = 0, end = 0;

	for (size_t i = 0; i < data->nr_histograms; i++) {
		const struct histogram *histogram = &data->histograms[i];

		if (!is_sound(histogram) || histogram->low < end)
			return false;
		end = histogram->high;
	}
	for (size_t i = 0; i < taken->nr_bins; i++)
		samples += taken->bins[i].samples;
	for (size_t i = 0; i < taken->nr_arcs; i++)
		calls += taken->arcs[i].count;
	return samples == data->samples && calls == data->calls;
}

void free_taken(struct taken *taken)
{
	free(taken->data.histograms);
	*taken = (struct taken){ 0 };
}
