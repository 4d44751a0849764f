// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the flat profile of a gmon.out or mon.out */
#include "print/report_rows.h"
#include "util/memory.h"

static void add(struct rows *rows, const struct function *function)
{
	struct row *row = profil_rows_add(rows);

	row->names[0] = profil_copy_string(function->name);
	row->samples = (double)function->parts / SAMPLE_PARTS;
	row->calls = function->calls;
}

/* A file of arcs alone has no rate, and no samples either. */
void profil_report_rows_read(struct rows *rows,
			     const struct attribution *attribution,
			     const struct gprof_data *data)
{
	*rows = (struct rows){
		.heads = { "symbol" },
		.nr_names = 1,
		.noun = "functions",
		.total = data->samples,
		.period = data->rate ? 1.0 / data->rate : 0,
	};
	for (size_t i = 0; i < attribution->boundaries->nr; i++) {
		const struct function *function = &attribution->array[i];

		if (function->parts || function->calls)
			add(rows, function);
	}
	profil_rows_sort(rows);
}
