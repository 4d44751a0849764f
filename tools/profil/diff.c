// SPDX-License-Identifier: GPL-2.0-only
/* `profil diff`: compare recordings before a change with those after it */
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "diff/change_table.h"
#include "diff/comparison.h"
#include "diff/side.h"
#include "diff/significance.h"
#include "profile/data_files.h"
#include "resolve/resolve.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/output.h"
#include "verbs.h"

/* CPU time without samples that a process may have at its start and end */
#define MISSING_PERCENT 10
#define MISSING_NS 50000000

/* Sentences on one recording and on several */
static const char *const partial[] = {
	"%s: %.0f %% of the CPU time are not in the profile: compare shares, not seconds",
	"%s and %u more recordings: up to %.0f %% of the CPU time are not in the profile: compare shares, not seconds",
};

/**
 * struct missing - recordings without samples for all of their CPU time
 * @path: the first of them, or NULL
 * @nr: their number
 * @percent: the largest part of the CPU time without samples
 */
struct missing {
	const char *path;
	unsigned int nr;
	double percent;
};

/**
 * struct request - options and operands
 * @sides: the files
 * @output: file to print to, or NULL for stdout
 * @by: kind of rows, of enum change_by
 * @limit: share of the CPU time, in percent, below which changes are added up
 * @exit_code: the exit status tells if there is a change
 */
struct request {
	struct side sides[SIDES];
	const char *output;
	int by;
	double limit;
	bool exit_code;
};

static void parse(int argc, char **argv, struct request *request)
{
	*request = (struct request){ .limit = 1 };
	profil_option_parse(&profil_verb_diff, argc, argv, request);
	if (argc - optind != SIDES)
		errx(EXIT_PROFIL,
		     "diff: name two sides, each a file or several with commas between, as in profil diff before.data after.data");
	for (enum change_side side = 0; side < SIDES; side++)
		profil_side_parse(&request->sides[side], argv[optind + side]);
}

/* The output must not overwrite an input. */
static void check_output(const struct request *request)
{
	for (enum change_side side = 0; side < SIDES; side++)
		for (char **file = request->sides[side].files; *file; file++)
			profil_output_check_input(request->output, *file);
}

/* Percent of the CPU time that has no samples */
static double missing_percent(const struct profile *profile)
{
	double all = profile->head.cpu_ns;
	double sampled =
		(double)profil_profile_total(profile) * profile->head.period_ns;

	return all > sampled + MISSING_NS ? 100 * (all - sampled) / all : 0;
}

static void note_missing(struct missing *missing, const struct profile *profile,
			 const char *path)
{
	double percent = missing_percent(profile);

	if (percent <= MISSING_PERCENT)
		return;
	if (!missing->nr++)
		missing->path = path;
	if (percent > missing->percent)
		missing->percent = percent;
}

/* Seconds of two recordings compare if both have samples for all CPU time. */
static void warn_missing(const struct missing *missing)
{
	if (missing->nr == 1)
		warnx(partial[0], missing->path, missing->percent);
	else if (missing->nr)
		warnx(partial[1], missing->path, missing->nr - 1,
		      missing->percent);
}

static void add_file(struct comparison *comparison, enum change_side side,
		     const char *path, struct missing *missing)
{
	char *files[2] = { (char *)path };
	struct profile profile;

	profil_data_files_read(files, &profile);
	profil_resolve_again(&profile);
	path = profil_file_name(path);
	if (!profile.head.period_ns || !profil_profile_total(&profile))
		errx(EXIT_PROFIL,
		     "%s has no samples: record a longer run, or with a higher -F",
		     path);
	note_missing(missing, &profile, path);
	profil_profile_sort(&profile);
	profil_comparison_add(comparison, side, &profile);
	profil_profile_free(&profile);
}

static void read_sides(struct request *request, struct comparison *comparison)
{
	struct missing missing = { 0 };

	for (enum change_side side = 0; side < SIDES; side++) {
		struct side *files = &request->sides[side];

		for (char **file = files->files; *file; file++)
			add_file(comparison, side, *file, &missing);
	}
	warn_missing(&missing);
	for (enum change_side side = 0; side < SIDES; side++)
		profil_side_free(&request->sides[side]);
}

static int compare(int argc, char **argv)
{
	struct comparison comparison;
	struct request request;
	int status;
	FILE *out;

	parse(argc, argv, &request);
	check_output(&request);
	profil_comparison_init(&comparison, request.by);
	read_sides(&request, &comparison);
	profil_comparison_finish(&comparison);
	profil_significance_judge(&comparison);
	out = profil_output_open(request.output, stdout);
	profil_change_table_print(out, &comparison, request.limit);
	if (comparison.nr_runs == SIDES)
		fprintf(out,
			"note: one run on each side does not show how much runs differ; name several, as in profil diff a1.data,a2.data b1.data,b2.data\n");
	profil_output_close(out, request.output);
	status = request.exit_code && comparison.sure;
	profil_comparison_free(&comparison);
	return status;
}

#define AT(member) offsetof(struct request, member)

static const char *const kinds[] = { "function", "object", NULL };

static const struct option_row options[] = {
	{ 'b', "by", OPTION_CHOICE, AT(by), "KIND",
	  "compare by function or by object", .choices = kinds,
	  .preset = "function" },
	{ 'e', "exit-code", OPTION_FLAG, AT(exit_code), NULL,
	  "exit with status 1 if a change is surer than 99 %" },
	OPTION_ROW_HELP,
	{ 'l', "limit", OPTION_PERCENT, AT(limit), "PERCENT",
	  "add up rows that are not sure and change by less than PERCENT of the CPU time",
	  .preset = "1" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, not to stdout" },
	{ 0 }
};

const struct verb profil_verb_diff = {
	.name = "diff",
	.operands = "BEFORE AFTER",
	.about =
		"profil diff compares the recordings BEFORE a change with those AFTER it: the\n"
		"CPU time of each function, and whether the change is surer than 99 %. Each of\n"
		"the two is a profil.data, or several with commas between.\n",
	.example =
		"Example: profil diff before1.data,before2.data after1.data,after2.data\n",
	.options = options,
	.main = compare,
};
