// SPDX-License-Identifier: GPL-2.0-only
/* The table of all columns of numbers */
#include "print/columns.h"

/*
 * The share of kernel mode in a row is shown for this number of samples in kernel
 * mode, and this share in percent
 */
#define KERNEL_FEW 5
#define KERNEL_SHARE 10

/* A table has totals or seconds, so that a row is a line of 80 characters. */
static double table_seconds_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals ? NAN : row->seconds;
}

static double more_seconds_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals ? row->seconds : NAN;
}

static double share_of(const struct rows *rows, const struct row *row)
{
	return profil_percent(rows, row->samples);
}

/* A sum of rows, which has no names, has no error. */
static double error_of(const struct rows *rows, const struct row *row)
{
	return row->names[0] ? share_error(row->samples, rows->total) : NAN;
}

/* Without callers there are none, and a sum of rows has none. */
static double total_share_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals && row->names[0] ?
		       profil_percent(rows, row->total) :
		       NAN;
}

/* The total of `profil top` and of a difference, whose rows know it */
static double total_seconds_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals ? row->total * rows->period : NAN;
}

static double total_percent_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals ? profil_percent(rows, row->total) : NAN;
}

static double change_error_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals ? row->error : NAN;
}

/* That of a node, or a sum of nodes */
static double node_share_of(const struct rows *rows, const struct row *row)
{
	return profil_percent(rows, row->total);
}

static double node_error_of(const struct rows *rows, const struct row *row)
{
	return row->names[0] ? share_error(row->total, rows->total) : NAN;
}

/* The share in the samples of the function whose callers are shown */
static double part_of(const struct rows *rows, const struct row *row)
{
	return rows->part ? 100 * (row->total / rows->part) : 0;
}

static double part_error_of(const struct rows *rows, const struct row *row)
{
	return row->names[0] ? share_error(row->total, rows->part) : NAN;
}

/* The share of these calls in all of the called function */
static double calls_share_of(const struct rows *rows, const struct row *row)
{
	(void)rows;
	return row->total ? 100 * row->calls / row->total : NAN;
}

static double total_error_of(const struct rows *rows, const struct row *row)
{
	return rows->has_totals && row->names[0] ?
		       share_error(row->total, rows->total) :
		       NAN;
}

static double kernel_share_of(const struct rows *rows, const struct row *row)
{
	(void)rows;
	return row->kernel ? 100 * row->kernel / row->samples : NAN;
}

static double large_kernel_share_of(const struct rows *rows,
				    const struct row *row)
{
	bool is_large = !row->is_kernel && row->kernel >= KERNEL_FEW &&
			100 * row->kernel >= KERNEL_SHARE * row->samples;

	return is_large ? kernel_share_of(rows, row) : NAN;
}

static double calls_of(const struct rows *rows, const struct row *row)
{
	(void)rows;
	return row->calls ? (double)row->calls : NAN;
}

static double call_time_of(const struct rows *rows, const struct row *row)
{
	(void)rows;
	return row->calls ? 1000 * row->seconds / row->calls : NAN;
}

/* The number itself that a row has */
#define OF(member) .number = offsetof(struct row, member)

const struct column profil_columns[] = {
	{ IN_CALLERS, "share", .width = 7, .digits = 1, .unit = " %", part_of },
	{ IN_CALLERS, "±", "+-", .width = 5, .digits = 1,
	  .value = part_error_of },
	{ IN_CALLERS, "total", .width = 9, .digits = 1, .unit = " %",
	  .value = node_share_of },
	{ IN_TREE, "total", .width = 7, .digits = 1, .unit = " %",
	  node_share_of },
	{ IN_TREE, "±", "+-", .width = 5, .digits = 1, .value = node_error_of },
	{ IN_TREE | IN_CALLERS, "self", .width = 9, .digits = 1, .unit = " %",
	  share_of },
	{ IN_CALLS, "calls", .width = 10, .value = calls_of },
	{ IN_CALLS, "share", .width = 9, .digits = 1, .unit = " %",
	  .value = calls_share_of },
	{ IN_CALLS, "seconds", .width = 10, .digits = 3, OF(seconds) },
	{ IN_JSON, OF(samples), .member = "samples" },
	{ IN_JSON, OF(kernel), .member = "kernel_samples" },
	{ IN_JSON, OF(seconds), .member = "seconds", .member_digits = 6 },
	{ IN_TABLE | IN_JSON | IN_PAGE | IN_PROGRAMS, "self", .width = 7,
	  .digits = 1, .unit = " %", share_of, "percent", 4 },
	{ IN_TOP, .width = 9, .digits = 1, .unit = " %", share_of,
	  .sides = 1 << FIRST_SIDE },
	{ IN_TOP, "total", .width = 9, .digits = 1, .unit = " %",
	  .value = total_percent_of, .is_optional = true,
	  .sides = 1 << FIRST_SIDE },
	{ IN_TOP, .width = 9, .digits = 1, .unit = " %", share_of,
	  .sides = 1 << SECOND_SIDE },
	{ IN_DIFF, .width = 10, .digits = 3, OF(seconds) },
	{ IN_SHARES, .width = 10, .digits = 2, .value = share_of },
	{ IN_DIFF, "total", .width = 10, .digits = 3, .value = total_seconds_of,
	  .is_optional = true, .sides = 1 << CHANGE },
	{ IN_SHARES, "total", .width = 10, .digits = 2,
	  .value = total_percent_of, .is_optional = true,
	  .sides = 1 << CHANGE },
	{ IN_DIFF, "±", "+-", .width = 7, .digits = 3, .value = change_error_of,
	  .is_optional = true, .sides = 1 << FIRST_SIDE },
	{ IN_SHARES, "±", "+-", .width = 7, .digits = 2,
	  .value = change_error_of, .is_optional = true,
	  .sides = 1 << FIRST_SIDE },
	{ IN_PROF, "percent", .width = 7, .digits = 2, .value = share_of },
	{ IN_TABLE | IN_JSON | IN_PAGE, "±", "+-", .width = 5, .digits = 1,
	  .value = error_of, "error", 4, "standard error of the share" },
	{ IN_TABLE | IN_JSON | IN_PAGE, "total", .width = 9, .digits = 1,
	  .unit = " %", .value = total_share_of, "total_percent", 4,
	  "share of the function and of what it has called",
	  .is_optional = true },
	{ IN_TABLE | IN_JSON, "±", "+-", .width = 5, .digits = 1,
	  .value = total_error_of, "total_error", 4, .is_optional = true },
	{ IN_NODES, OF(total), .member = "total_samples" },
	{ IN_CALLERS_NODES, .value = part_of, .member = "share",
	  .member_digits = 4 },
	{ IN_CALLERS_NODES, .value = part_error_of, .member = "share_error",
	  .member_digits = 4 },
	{ IN_PROF, "cumulative", .width = 11, .digits = 3, OF(cumulative) },
	{ IN_PAGE | IN_PROGRAMS, "seconds", .width = 10, .digits = 3,
	  OF(seconds) },
	{ IN_TABLE, "seconds", .width = 10, .digits = 3,
	  .value = table_seconds_of, .is_optional = true },
	{ IN_SAMPLES, "seconds", .width = 10, .digits = 3,
	  .value = more_seconds_of, .is_optional = true },
	{ IN_PROF, "seconds", .width = 11, .digits = 3, OF(seconds) },
	{ IN_SAMPLES | IN_PAGE, "samples", .width = 9, OF(samples) },
	{ IN_TABLE | IN_TREE | IN_CALLERS, "kernel", .width = 8, .unit = " %",
	  .value = large_kernel_share_of, .is_optional = true },
	{ IN_PAGE, "kernel", .unit = " %", .value = kernel_share_of,
	  .title = "part of the row in kernel mode" },
	{ IN_PROF, "calls", .width = 11, .value = calls_of },
	{ IN_PROF, "ms/call", .width = 11, .digits = 4, .value = call_time_of },
	{ 0 },
};
