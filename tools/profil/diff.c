// SPDX-License-Identifier: GPL-2.0-only
/* `profil diff`: compare recordings before a change with those after it */
#include "diff/comparison.h"
#include "diff/json.h"
#include "diff/page.h"
#include "diff/paths.h"
#include "diff/significance.h"
#include "diff/table.h"
#include "elf/confined.h"
#include "read/files.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

/*
 * Split @operand at its commas, unless a file has all of it as its name. Exits
 * if a name is empty.
 */
static void parse_side(struct option_list *files, char *operand)
{
	char *whole = profil_copy_string(operand);

	if (!access(operand, F_OK)) {
		profil_option_list_add(files, operand);
		operand = NULL;
	}
	while (operand) {
		char *name = strsep(&operand, ",");

		if (!*name)
			die_err("diff: there is no name beside a comma of \"%s\"",
				whole);
		profil_option_list_add(files, name);
	}
	free(whole);
}

/* CPU time without samples that a process may have at its start and end */
#define MISSING_PERCENT 10
#define MISSING_NS 50000000

/* Sentences on one recording and on several */
static const char *const partial[] = {
	"%s: %.0f %% of the CPU time are not in the profile: %s",
	"%s and %u more recordings: up to %.0f %% of the CPU time are not in the profile: %s",
};

/* Standard errors of the CPU time that two recordings differ by without a reason */
#define LENGTH_ERRORS 3

static const char ran_on[] =
	"the recordings have %.2f s and %.2f s of a process that ran on: %s";
static const char compares_shares[] = "shares are compared, not seconds";
static const char tells_nothing[] =
	"seconds cannot be compared: omit --seconds";

/**
 * struct missing - recordings whose seconds are not those of their work
 * @path: the first without samples for all of its CPU time, or NULL
 * @nr: the number of these
 * @percent: the largest part of the CPU time without samples
 * @is_cut: the end of a recording was not that of its command
 */
struct missing {
	const char *path;
	unsigned int nr;
	double percent;
	bool is_cut;
};

/*
 * Options and operands: the files, the @operands that name these, and @output, NULL for
 * stdout. @by: of enum change_by.
 * @limit: share of the CPU time, in percent, below which changes are added up.
 * @exit_code: the exit status tells if there is a change
 */
struct diff_options {
	struct option_list sides[SIDES];
	const char *operands[SIDES];
	const char *output;
	int by;
	double limit;
	bool kernel;
	bool exit_code;
	bool html;
	bool json;
	bool shares;
	bool seconds;
};

static void parse_diff(int argc, char **argv, struct diff_options *request)
{
	*request = (struct diff_options){ .limit = 1 };
	profil_option_parse(&profil_verb_diff, argc, argv, request);
	refuse(request->shares && request->seconds,
	       "diff: a table has shares or seconds: leave --shares or --seconds out");
	refuse(request->html && request->json,
	       "diff: a page has JSON in it: leave --html or --json out");
	refuse(argc - optind != SIDES,
	       "diff: name two sides, each a file or several with commas between, as in profil diff before.data after.data");
	for (enum change_side side = 0; side < SIDES; side++) {
		char *operand = argv[optind + side];

		request->operands[side] = profil_copy_string(operand);
		parse_side(&request->sides[side], operand);
	}
}

/* The output must not overwrite an input. */
static void check_output(const struct diff_options *request)
{
	for (enum change_side side = 0; side < SIDES; side++)
		for (char **file = request->sides[side].items; *file; file++)
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
	const struct profile_head *head = &profile->head;
	double percent = missing_percent(profile);

	if (head->attached || !head->is_complete)
		missing->is_cut = true;
	if (percent <= MISSING_PERCENT)
		return;
	if (!missing->nr++)
		missing->path = path;
	if (percent > missing->percent)
		missing->percent = percent;
}

static void warn_missing(const struct missing *missing, bool shares)
{
	const char *what = shares ? compares_shares : tells_nothing;

	if (missing->nr == 1)
		warnx(partial[0], missing->path, missing->percent, what);
	else if (missing->nr)
		warnx(partial[1], missing->path, missing->nr - 1,
		      missing->percent, what);
}

/* The CPU time of the sides differs by more than chance. */
static bool differs(const struct comparison *comparison)
{
	const double *seconds = comparison->seconds;
	double variance = 0;

	for (enum change_side side = 0; side < SIDES; side++)
		variance += seconds[side] / comparison->exposure[side];
	return fabs(seconds[AFTER] - seconds[BEFORE]) >
	       LENGTH_ERRORS * sqrt(variance);
}

/*
 * Seconds of two recordings compare if both have samples for all CPU time, and if
 * both have the same work. That of a server depends on when the recording ended.
 */
static bool wants_shares(const struct diff_options *request,
			 const struct comparison *comparison,
			 const struct missing *missing)
{
	const double *seconds = comparison->seconds;

	if (request->shares || request->seconds)
		return request->shares;
	if (missing->nr)
		return true;
	if (!missing->is_cut || !differs(comparison))
		return false;
	warnx(ran_on, seconds[BEFORE], seconds[AFTER], compares_shares);
	return true;
}

/* Add the file @path; @program wrote it if it is a gmon.out or mon.out. */
static void add_file(struct comparison *comparison, enum change_side side,
		     const char *program, const char *path, bool kernel,
		     struct missing *missing)
{
	char *paths[2] = { (char *)path };
	struct files files = {
		.paths = paths,
		.program = program,
		.how = "before the file and a comma",
		.kernel = kernel,
	};
	struct profile profile;

	profil_files_read(&files, &profile);
	path = profil_file_name(*paths);
	if (!profile.head.period_ns || !profil_profile_total(&profile))
		die_err("%s has no samples: record a longer run, or with a higher -F",
			path);
	note_missing(missing, &profile, path);
	profil_comparison_add(comparison, side, &profile);
	profil_profile_free(&profile);
}

static void read_sides(struct diff_options *request,
		       struct comparison *comparison, struct missing *missing)
{
	for (enum change_side side = 0; side < SIDES; side++) {
		const char *program = NULL;

		for (char **file = request->sides[side].items; *file; file++)
			if (file[1] && profil_files_kind(*file) == FILE_PROGRAM)
				program = *file;
			else
				add_file(comparison, side, program, *file,
					 request->kernel, missing);
		free(request->sides[side].items);
	}
}

/* Judge the rows; seconds of unlike recordings tell nothing. */
static void judge(struct comparison *comparison, bool is_comparable)
{
	if (is_comparable) {
		profil_significance_judge(comparison);
		profil_paths_find(comparison);
	}
	profil_comparison_sort(comparison);
}

/* A page is for a browser. */
static void refuse_terminal(const struct diff_options *request, FILE *out)
{
	refuse(request->html && isatty(fileno(out)),
	       "diff: --html prints a page: name a file, as in profil diff --html -o diff.html BEFORE AFTER");
}

static void print(FILE *out, const struct diff_options *request,
		  const struct comparison *comparison)
{
	if (request->html)
		profil_diff_page_print(out, comparison, request->limit,
				       request->operands);
	else if (request->json)
		profil_diff_json_print(out, comparison, request->limit);
	else
		profil_diff_table_print(out, comparison, request->limit);
}

static int compare(int argc, char **argv)
{
	struct missing missing = { 0 };
	struct comparison comparison;
	struct diff_options request;
	struct confined child;
	bool shares;
	int status;
	FILE *out;

	parse_diff(argc, argv, &request);
	check_output(&request);
	if (!profil_confine(&child, request.output, 0))
		profil_confined_exit(&child);
	profil_comparison_init(&comparison, request.by);
	read_sides(&request, &comparison, &missing);
	shares = wants_shares(&request, &comparison, &missing);
	warn_missing(&missing, shares);
	profil_comparison_finish(&comparison, shares);
	judge(&comparison, shares || !missing.nr);
	out = profil_output_open(request.output, stdout);
	refuse_terminal(&request, out);
	print(out, &request, &comparison);
	profil_output_close(out, request.output);
	status = request.exit_code && comparison.sure;
	profil_comparison_free(&comparison);
	return status;
}

#define AT(member) offsetof(struct diff_options, member)

static const char *const kinds[] = { "function", "object", NULL };

static const struct option_row options[] = {
	{ 'b', "by", OPTION_CHOICE, AT(by), "KIND",
	  "compare by function or by object", .choices = kinds,
	  .preset = "function" },
	{ 'e', "exit-code", OPTION_FLAG, AT(exit_code), NULL,
	  "exit with status 1 if a change is surer than 99 %" },
	OPTION_ROW_HELP,
	{ 0, "html", OPTION_FLAG, AT(html), NULL,
	  "print a page for a browser, with a flame graph of both sides" },
	{ 'j', "json", OPTION_FLAG, AT(json), NULL, "print JSON" },
	{ 'k', "kernel", OPTION_FLAG, AT(kernel), NULL,
	  "compare time in the kernel by its functions, of recordings of root" },
	{ 'l', "limit", OPTION_PERCENT, AT(limit), "PERCENT",
	  "add up rows that are not sure and change by less than PERCENT of the CPU time",
	  .preset = "1" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, not to stdout" },
	{ 0, "seconds", OPTION_FLAG, AT(seconds), NULL,
	  "compare seconds, also of recordings whose length differs" },
	{ 's', "shares", OPTION_FLAG, AT(shares), NULL,
	  "compare the share of each function in its recording, not seconds" },
	{ 0 }
};

const struct verb profil_verb_diff = {
	.name = "diff",
	.operands = "BEFORE AFTER",
	.about =
		"profil diff compares the recordings BEFORE a change with those AFTER it: the\n"
		"CPU time of each function, and whether the change is surer than 99 %. Of\n"
		"recordings with callers, it says through which callers functions have changed.\n"
		"Each of the two is a profil.data, or several with commas between. A gmon.out or\n"
		"mon.out comes after the program that wrote it, if that is not ./a.out.\n",
	.example =
		"Example: profil diff before1.data,before2.data after1.data,after2.data\n",
	.options = options,
	.main = compare,
};
