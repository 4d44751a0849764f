/* SPDX-License-Identifier: GPL-2.0-only */
/* The two kinds of gmon.out; see gmon.out(5profil) */
#ifndef PROFIL_READ_GMON_H
#define PROFIL_READ_GMON_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/* @input begins as a gmon.out of GNU, with any size of addresses. */
bool profil_is_gmon_gnu(struct input *input);

/* @input begins as a gmon.out of BSD, with addresses of 8 or 4 bytes. */
bool profil_is_gmon_bsd(struct input *input);

/*
 * Add the content of @input to @data. The call fails if the content is
 * malformed, or if addresses are not @input->word bytes long.
 */
enum read_error profil_read_gmon_gnu(struct input *input,
				     struct gprof_data *data);
enum read_error profil_read_gmon_bsd(struct input *input,
				     struct gprof_data *data);

#endif
