/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_TABLE_H
#define PROFIL_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "elf/attribute.h"
#include "read/gprof_data.h"

/*
 * Print, as prof(1) does, a line for each function that has samples or calls,
 * the heaviest first, and a line of totals. It is said if the rate is @assumed.
 */
void profil_table_print(FILE *out, const struct attribution *attribution,
			const struct gprof_data *data, bool assumed);

#endif
