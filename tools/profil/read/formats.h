/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FORMATS_H
#define PROFIL_FORMATS_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Detect the format of @input by its content, and add it to @data. Addresses of
 * 4 bytes are tried if those of 8 make no sense. Details of an error are in
 * @input->details.
 */
enum read_error profil_formats_read(struct input *input,
				    struct gprof_data *data);

/* Whether @input has one of the formats, even if it is malformed */
bool profil_formats_is(struct input *input);

#endif
