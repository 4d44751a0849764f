/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DETECT_H
#define PROFIL_DETECT_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Detect the format of @input by its content, and add it to @data. Addresses of
 * 4 bytes are tried if those of 8 make no sense. False, with @input->wrong, if
 * the input is malformed or does not fit @data.
 */
bool profil_detect_read(struct input *input, struct gprof_data *data);

#endif
