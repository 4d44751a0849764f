// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "read/formats.h"
#include "read_content.h"

bool read_input(const void *bytes, size_t size, char text[READ_ERROR_TEXT],
		struct gprof_data *data)
{
	enum read_error wrong;
	struct input input;

	profil_input_memory(&input, bytes, size);
	wrong = profil_formats_read(&input, data);
	if (wrong)
		profil_read_error_text(text, wrong, &input.details);
	return !wrong;
}

bool read_content(const struct content *content, size_t size,
		  char text[READ_ERROR_TEXT], struct gprof_data *data)
{
	unsigned char *bytes = malloc(size ? size : 1);
	bool good;

	memcpy(bytes, content->bytes, size);
	/* Without bytes, a pointer that the sanitizer lets no code read */
	*data = (struct gprof_data){ 0 };
	good = read_input(size ? bytes : bytes + 1, size, text, data);
	if (!good)
		profil_gprof_data_free(data);
	free(bytes);
	return good;
}

static bool is_sound(const struct histogram *histogram)
{
	return histogram->low < histogram->high && histogram->nr &&
	       histogram->nr <= histogram->high - histogram->low;
}

bool are_sound(const struct gprof_data *data)
{
	__u64 samples = 0, calls = 0, end = 0;

	for (size_t i = 0; i < data->nr_histograms; i++) {
		const struct histogram *histogram = &data->histograms[i];

		if (!is_sound(histogram) || histogram->low < end)
			return false;
		for (size_t j = 0; j < histogram->nr; j++)
			samples += profil_bins_get(histogram, j);
		end = histogram->high;
	}
	for (size_t i = 0; i < data->nr_arcs; i++)
		calls += data->arcs[i].count;
	return samples == data->samples && calls == data->calls;
}
