/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DETECT_H
#define PROFIL_DETECT_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Find out by its content what @file is, and add it to @data. Of another
 * size than usual are addresses only where nothing else makes sense. False if
 * the file is broken or does not go with what is there; it says why then.
 */
bool profil_detect_read(struct input *input, struct gprof_data *data);

/* Whether @file is a program or library */
bool profil_detect_is_elf(struct input *input);

#endif
