/* SPDX-License-Identifier: GPL-2.0-only */
/* The line of totals below a flat profile */
#ifndef PROFIL_TOTAL_H
#define PROFIL_TOTAL_H

#include <stdbool.h>
#include <stdio.h>

#include "elf/attribute.h"
#include "profile/profile.h"
#include "read/gprof_data.h"

/* Print samples, their period, and lost samples of a recording. */
void profil_total_print_profile(FILE *out, const struct profile *profile);

/*
 * Print samples of @data, their rate, and samples outside of all functions. The
 * rate is marked if it is @assumed.
 */
void profil_total_print_report(FILE *out, const struct attribution *attribution,
			       const struct gprof_data *data, bool assumed);

#endif
