/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_REPORT_ROWS_H
#define PROFIL_REPORT_ROWS_H

#include "elf/attribute.h"
#include "print/rows.h"
#include "read/gprof_data.h"

/* Make sorted rows of all functions that have samples or calls of @data. */
void profil_report_rows_read(struct rows *rows,
			     const struct attribution *attribution,
			     const struct gprof_data *data);

#endif
