/* SPDX-License-Identifier: GPL-2.0-only */
/* mon.out in the layout of SVR4; see mon.out(5profil) */
#ifndef PROFIL_READ_MON_H
#define PROFIL_READ_MON_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Add what is in @file to @data. False if it is no mon.out, or a broken one,
 * or has addresses of another size; then @file says what is wrong. There is no
 * mark by which a mon.out could be known.
 */
bool profil_read_mon(struct input *input, struct gprof_data *data);

#endif
