/* SPDX-License-Identifier: GPL-2.0-only */
/* mon.out in the layout of SVR4; see mon.out(5profil) */
#ifndef PROFIL_READ_MON_H
#define PROFIL_READ_MON_H

#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Add the content of @input to @data. The call fails if the content is
 * malformed, or if addresses are not @input->word bytes long. A mon.out has no
 * magic number: only @input->sure distinguishes a malformed one from another
 * file.
 */
enum read_error profil_read_mon(struct input *input, struct gprof_data *data);

#endif
