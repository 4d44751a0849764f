// SPDX-License-Identifier: GPL-2.0-only
/* `profil diff`: compare recordings before a change with those after it */
#include "diff/comparison.h"
#include "diff/significance.h"
#include "elf/confined.h"
#include "print/view.h"
#include "read/files.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

/* Table of a comparison */

/*
 * A comparison while it is printed; rows with a smaller difference than @least are
 * hidden
 */
struct diff_table {
	FILE *out;
	const struct comparison *comparison;
	double least;
	size_t hidden;
};

static double difference(const double *seconds)
{
	return seconds[AFTER] - seconds[BEFORE];
}

static bool is_small(const struct diff_table *table, const struct change *row)
{
	return !row->is_sure && fabs(difference(row->amount)) < table->least;
}

static bool is_shown(const struct diff_table *table, const struct change *row)
{
	return !table->hidden || !is_small(table, row);
}

/* One hidden row would need the line of hidden rows: it is shown instead. */
static void hide(struct diff_table *table, double limit)
{
	const struct comparison *comparison = table->comparison;
	const double *seconds = comparison->seconds;
	double all = fmax(seconds[BEFORE], seconds[AFTER]);

	table->least = comparison->is_shares ? limit : limit / 100 * all;
	for (size_t i = 0; i < comparison->nr_rows; i++)
		table->hidden += is_small(table, &comparison->rows[i]);
	if (table->hidden == 1)
		table->hidden = 0;
}

static void print_runs(const struct diff_table *table)
{
	const uint64_t *recordings = table->comparison->recordings;

	if (recordings[BEFORE] > 1 || recordings[AFTER] > 1)
		fprintf(table->out,
			"   (mean of %" PRIu64 " run%s and of %" PRIu64
			" run%s)",
			recordings[BEFORE], plural(recordings[BEFORE]),
			recordings[AFTER], plural(recordings[AFTER]));
}

static void print_time(const struct diff_table *table, const char *name,
		       const double *seconds)
{
	fprintf(table->out, "%-17s%10.3f%10.3f", name, seconds[BEFORE],
		seconds[AFTER]);
	if (seconds[BEFORE])
		fprintf(table->out, " %+8.1f %%",
			100 * difference(seconds) / seconds[BEFORE]);
}

static void print_head(const struct diff_table *table)
{
	const struct comparison *comparison = table->comparison;
	const double *kernel = comparison->kernel_seconds;

	fprintf(table->out, "%17s%10s%10s\n", "", "before", "after");
	print_time(table, "CPU seconds", comparison->seconds);
	print_runs(table);
	fputc('\n', table->out);
	if (kernel[BEFORE] || kernel[AFTER]) {
		print_time(table, "  in the kernel", kernel);
		fputc('\n', table->out);
	}
}

/* Add @row; rows that are not tested are grey on a terminal. */
static void add_row(struct view *view, const struct change *row,
		    bool has_colours)
{
	char *names[3];

	names[0] = !row->is_tested ? "-" : row->is_sure ? "yes" : "no";
	names[1] = profil_text_printable(row->object);
	names[2] = profil_text_printable(row->function);
	profil_view_add(view, &row->sides[BEFORE], &row->sides[AFTER], names,
			has_colours && !row->is_tested ? GREY : NULL);
	free(names[1]);
	free(names[2]);
}

/* Add the rows that are shown, and the sum of the others in @hidden. */
static void add_rows(struct view *view, const struct diff_table *table,
		     struct row *hidden)
{
	const struct comparison *comparison = table->comparison;
	bool has_colours = profil_output_has_colours(table->out);

	for (size_t i = 0; i < comparison->nr_rows; i++) {
		const struct change *row = &comparison->rows[i];

		if (is_shown(table, row)) {
			add_row(view, row, has_colours);
			continue;
		}
		for (enum change_side side = 0; side < SIDES; side++)
			profil_row_add(&hidden[side], &row->sides[side]);
	}
	if (table->hidden)
		profil_view_add_note(view, &hidden[BEFORE], &hidden[AFTER],
				     profil_format("%zu others",
						   table->hidden));
}

static void print_rows(const struct diff_table *table)
{
	static const char *const names[] = { "sure", "object", "function" };
	const struct comparison *comparison = table->comparison;
	bool is_shares = comparison->is_shares;
	const struct rows *sides = comparison->sides;
	struct row hidden[SIDES] = { 0 };
	struct view view = {
		.in = is_shares ? IN_SHARES : IN_DIFF,
		.sides = { { is_shares ? "before %" : "before",
			     &sides[BEFORE] },
			   { is_shares ? "after %" : "after", &sides[AFTER] },
			   { "change" } },
		.nr_sides = VIEW_SIDES,
		.heads = names,
		.nr_names = 2 + (comparison->by == BY_FUNCTION),
		.first_note = 1,
	};

	profil_view_begin(&view);
	view.columns[0].width--;
	add_rows(&view, table, hidden);
	profil_view_print(table->out, &view, profil_output_columns(table->out));
	profil_view_end(&view);
}

static void print_verdict(const struct diff_table *table)
{
	const struct comparison *comparison = table->comparison;
	size_t sure = comparison->sure, tested = comparison->tested;

	if (sure)
		fprintf(table->out, "%zu change%s", sure,
			sure == 1 ? " is" : "s are");
	else
		fputs("no change is", table->out);
	fprintf(table->out, " surer than 99 %% (%zu row%s tested)\n", tested,
		plural(tested));
}

/*
 * Print @comparison as a table. Rows that are not sure are added up in one line
 * if their difference is less than @limit percent of the CPU time.
 */
static void print_table(FILE *out, const struct comparison *comparison,
			double limit)
{
	struct diff_table table = { .out = out, .comparison = comparison };

	hide(&table, limit);
	print_head(&table);
	print_rows(&table);
	print_verdict(&table);
}

/* The command line, and what it names */

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
			errx(EXIT_PROFIL,
			     "diff: there is no name beside a comma of \"%s\"",
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
 * Options and operands: the files, and @output, NULL for stdout. @by: of enum change_by.
 * @limit: share of the CPU time, in percent, below which changes are added up.
 * @exit_code: the exit status tells if there is a change
 */
struct diff_options {
	struct option_list sides[SIDES];
	const char *output;
	int by;
	double limit;
	bool kernel;
	bool exit_code;
	bool shares;
	bool seconds;
};

static void parse_diff(int argc, char **argv, struct diff_options *request)
{
	*request = (struct diff_options){ .limit = 1 };
	profil_option_parse(&profil_verb_diff, argc, argv, request);
	refuse(request->shares && request->seconds,
	       "diff: a table has shares or seconds: leave --shares or --seconds out");
	refuse(argc - optind != SIDES,
	       "diff: name two sides, each a file or several with commas between, as in profil diff before.data after.data");
	for (enum change_side side = 0; side < SIDES; side++)
		parse_side(&request->sides[side], argv[optind + side]);
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
		errx(EXIT_PROFIL,
		     "%s has no samples: record a longer run, or with a higher -F",
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
			if (file[1] && profil_files_is_program(*file))
				program = *file;
			else
				add_file(comparison, side, program, *file,
					 request->kernel, missing);
		free(request->sides[side].items);
	}
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
	if (shares || !missing.nr)
		profil_significance_judge(&comparison);
	out = profil_output_open(request.output, stdout);
	print_table(out, &comparison, request.limit);
	if (comparison.nr_runs == SIDES)
		fprintf(out,
			"note: one run on each side does not show how much runs differ; name several, as in profil diff a1.data,a2.data b1.data,b2.data\n");
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
		"CPU time of each function, and whether the change is surer than 99 %. Each of\n"
		"the two is a profil.data, or several with commas between. A gmon.out or mon.out\n"
		"comes after the program that wrote it, if that is not ./a.out.\n",
	.example =
		"Example: profil diff before1.data,before2.data after1.data,after2.data\n",
	.options = options,
	.main = compare,
};
