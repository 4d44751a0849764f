/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CALLS_H
#define PROFIL_CALLS_H

#include <stdio.h>

#include "elf/attribute.h"
#include "read/gprof_data.h"

/* Print the number of calls for each caller and callee, the highest first. */
void profil_calls_print(FILE *out, struct attribution *attribution,
			const struct gprof_data *data);

#endif
