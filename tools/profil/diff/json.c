// SPDX-License-Identifier: GPL-2.0-only
/* A comparison as JSON */
#include <math.h>

#include "diff/comparison.h"
#include "diff/json.h"
#include "diff/table.h"
#include "print/json.h"

/* Members before the first one of the same name; a number that is not known is null. */
static void print_number(FILE *out, const char *prefix, const char *name,
			 double number)
{
	fprintf(out, ", \"%s%s\": ", prefix, name);
	if (isnan(number))
		fputs("null", out);
	else
		fprintf(out, "%.6f", number);
}

static void print_measure(FILE *out, const char *prefix,
			  const struct measure *measure)
{
	const double *amount = measure->amount;

	print_number(out, prefix, "before", amount[BEFORE]);
	print_number(out, prefix, "after", amount[AFTER]);
	print_number(out, prefix, "change", amount[AFTER] - amount[BEFORE]);
	print_number(out, prefix, "error", measure->error);
	fprintf(out, ", \"%stested\": %s, \"%ssure\": %s", prefix,
		measure->is_tested ? "true" : "false", prefix,
		measure->is_sure ? "true" : "false");
}

static void print_path(FILE *out, const struct change *row, uint32_t index)
{
	const struct change_path *path = &row->paths[index];
	const struct measure *total = &path->total;
	const char *separator = "";

	fputs("{\"path\": [", out);
	for (; index; index = path->parent) {
		path = &row->paths[index];
		fputs(separator, out);
		profil_json_string(out, path->function);
		separator = ", ";
	}
	fputs("]", out);
	print_measure(out, "", total);
	fputs("}", out);
}

static void print_paths(FILE *out, const struct change *row)
{
	fputs(", \"callers\": [", out);
	for (size_t i = 0; i < row->nr_via; i++) {
		fputs(i ? ",\n      " : "\n      ", out);
		print_path(out, row, row->via[i]);
	}
	fputs("]", out);
}

static void print_row(FILE *out, const struct comparison *comparison,
		      const struct change *row)
{
	fputs("{\"object\": ", out);
	profil_json_string(out, row->object);
	if (comparison->by == BY_FUNCTION) {
		fputs(", \"function\": ", out);
		profil_json_string(out, row->function);
	}
	print_measure(out, "", &row->self);
	if (row->has_total)
		print_measure(out, "total_", &row->total);
	if (comparison->has_totals)
		print_paths(out, row);
	fputs("}", out);
}

static void print_rows(FILE *out, const struct comparison *comparison,
		       double limit)
{
	double least = profil_change_least(comparison, limit);
	const char *separator = "\n    ";
	size_t hidden = 0;

	fputs("  \"rows\": [", out);
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		const struct change *row = &comparison->rows[i];

		if (profil_change_is_small(row, least)) {
			hidden++;
			continue;
		}
		fputs(separator, out);
		print_row(out, comparison, row);
		separator = ",\n    ";
	}
	fprintf(out, "\n  ],\n  \"other_rows\": %zu\n", hidden);
}

static void print_side(FILE *out, const struct comparison *comparison,
		       const char *name, enum change_side side)
{
	fprintf(out,
		"  \"%s\": {\"recordings\": %" PRIu64
		", \"samples\": %.0f, \"cpu_seconds\": %.6f, \"kernel_seconds\": %.6f},\n",
		name, comparison->recordings[side],
		comparison->sides[side].total, comparison->seconds[side],
		comparison->kernel_seconds[side]);
}

void profil_diff_json_print(FILE *out, const struct comparison *comparison,
			    double limit)
{
	fputs("{\n  \"format\": \"profil diff\",\n  \"version\": 1,\n", out);
	fprintf(out, "  \"unit\": \"%s\",\n",
		comparison->is_shares ? "percent" : "seconds");
	print_side(out, comparison, "before", BEFORE);
	print_side(out, comparison, "after", AFTER);
	fprintf(out, "  \"sure\": %zu,\n  \"tested\": %zu,\n", comparison->sure,
		comparison->tested);
	print_rows(out, comparison, limit);
	fputs("}\n", out);
}
