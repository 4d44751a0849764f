/* SPDX-License-Identifier: GPL-2.0-only */
/* mon.out in the layout of SVR4; see mon.out(5profil) */
#ifndef PROFIL_READ_MON_H
#define PROFIL_READ_MON_H

#include <stdbool.h>

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Add the content of @input to @data. False if it is not a mon.out, is
 * malformed, or has addresses of another size than @input->word. A mon.out has
 * no magic number, so that @input->sure is all that tells the cases apart.
 */
bool profil_read_mon(struct input *input, struct gprof_data *data);

#endif
