/* SPDX-License-Identifier: GPL-2.0-only */
/* The two kinds of gmon.out; see gmon.out(5profil) */
#ifndef PROFIL_READ_GMON_H
#define PROFIL_READ_GMON_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/* Whether @file begins as GNU's does, in whichever size of addresses */
bool profil_is_gmon_gnu(struct input *input);

/* Whether it begins as that of BSD, with addresses of 8 or of 4 bytes */
bool profil_is_gmon_bsd(struct input *input);

/*
 * Add what is in @file to @data. False if the file is broken or has addresses
 * of another size; then @file says what is wrong, and where.
 */
bool profil_read_gmon_gnu(struct input *input, struct gprof_data *data);
bool profil_read_gmon_bsd(struct input *input, struct gprof_data *data);

#endif
