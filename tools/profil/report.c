// SPDX-License-Identifier: GPL-2.0-only
/* `profil report`: print the profile in files */
#include "elf/confined.h"
#include "html/print.h"
#include "print/flat.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/json.h"
#include "print/notes.h"
#include "profile/data_file.h"
#include "read/files.h"
#include "resolve/resolve.h"
#include "util/output.h"
#include "util/text.h"
#include "util/value.h"
#include "verbs.h"

static const char *function_name(const struct profile *profile,
				 uint32_t function)
{
	return function == PROFILE_NONE ? "[outside]" :
					  profile->functions[function].name;
}

static int by_functions(const void *a, const void *b)
{
	const struct profile_call *one = a, *other = b;

	return compare_numbers(one->caller, other->caller) ?:
		       compare_numbers(one->callee, other->callee);
}

static void add_calls(void *to, const void *from)
{
	((struct profile_call *)to)->count +=
		((const struct profile_call *)from)->count;
}

static int compare_names(const struct profile *profile, uint32_t one,
			 uint32_t other)
{
	return strcmp(function_name(profile, one),
		      function_name(profile, other));
}

/* Functions of the same name differ by their index. */
static int by_calls(const void *a, const void *b, void *profile)
{
	const struct profile_call *one = a, *other = b;

	return compare_numbers(other->count, one->count)		  ?:
		       compare_names(profile, one->caller, other->caller) ?:
		       compare_names(profile, one->callee, other->callee) ?:
		       by_functions(a, b);
}

/* Print the calls of each pair of functions, which are added up in @profile. */
static void print_calls(FILE *out, struct profile *profile)
{
	struct profile_call *calls = profile->calls;
	size_t nr = profile->nr_calls;

	ARRAY_SORT(calls, nr, by_functions);
	nr = ARRAY_JOIN(calls, nr, by_functions, add_calls);
	profile->nr_calls = nr;
	if (nr)
		qsort_r(calls, nr, sizeof(*calls), by_calls, profile);
	fprintf(out, "\n%10s  %s\n", "calls", "caller -> callee");
	for (size_t i = 0; i < nr; i++) {
		const struct profile_call *call = &calls[i];

		fprintf(out, "%10" PRIu64 "  %s -> %s\n", call->count,
			function_name(profile, call->caller),
			function_name(profile, call->callee));
	}
}

/*
 * Options and operands, of which all pointers may be NULL: @output is stdout then.
 * @rate: samples a second of a mon.out. @arcs: list callers, too. @by: indices of enum
 * row_key. @source: directory with the source files. @quiet: print neither heading nor
 * hints
 */
struct report_options {
	const char *program;
	const char *output;
	struct option_rate rate;
	bool arcs;
	struct option_list files;
	struct value_choices by;
	struct flat flat;
	regex_t *object;
	regex_t *function;
	bool json;
	bool html;
	bool kernel;
	const char *source;
	bool quiet;
};

/* Default name of the file; a program has written one of the last two. */
static char *usual_file(bool has_program)
{
	static char *const names[] = { DATA_NAME, "gmon.out", "mon.out" };

	for (size_t i = has_program; i < 3; i++)
		if (!access(names[i], F_OK))
			return names[i];
	errx(EXIT_PROFIL,
	     "report: no profil.data, gmon.out or mon.out in this directory: name a file, as in profil report -i FILE");
}

static void parse_report(int argc, char **argv, struct report_options *request)
{
	*request = (struct report_options){ 0 };
	profil_option_parse(&profil_verb_report, argc, argv, request);
	if (!request->program && profil_files_is_program(argv[optind]))
		request->program = argv[optind++];
	while (argv[optind])
		profil_option_list_add(&request->files, argv[optind++]);
	if (!request->files.nr)
		profil_option_list_add(&request->files,
				       usual_file(request->program));
	profil_files_copy_pipes(request->files.items);
}

static void check_rate(const struct option_rate *rate)
{
	if (rate->is_set && (rate->hz < 1 || rate->hz > INT_MAX))
		errx(EXIT_PROFIL, "-F %ld: give 1 to %d samples a second",
		     rate->hz, INT_MAX);
}

/* Options that a profil.data has no use for */
static void check_data(const struct report_options *request)
{
	refuse(request->program,
	       "-e is for a gmon.out or mon.out: a profil.data has the names of its functions");
	refuse(request->rate.is_set,
	       "-F is for a mon.out: a profil.data contains its rate");
	refuse(request->arcs,
	       "-c is for a gmon.out: a profil.data has no callers");
}

/* The output must not overwrite an input. */
static void check_output(const struct report_options *request)
{
	if (request->program)
		profil_output_check_input(request->output, request->program);
	for (char **file = request->files.items; *file; file++)
		profil_output_check_input(request->output, *file);
}

static void check(const struct report_options *request, bool is_data)
{
	if (is_data)
		check_data(request);
	else
		check_rate(&request->rate);
	refuse(request->html && (request->by.nr || request->object ||
				 request->function || request->json),
	       "--html has all functions, and filters them in the browser: leave --by, --function, --object and --json out");
	refuse(request->source && !request->html,
	       "--source is for --html: no other report shows source files");
	refuse(request->kernel && !is_data,
	       "-k is for a profil.data: other files have no kernel functions");
	refuse(request->arcs && (request->html || request->json),
	       "-c is for a table: leave --html and --json out");
	check_output(request);
}

/* Some options need a certain format. */
static void check_format(const struct report_options *request,
			 const char *format)
{
	bool is_mon = format && !strcmp(format, "mon.out");

	refuse(format && request->rate.is_set && !is_mon,
	       "-F is for a mon.out: a gmon.out contains its rate");
	refuse(request->arcs && is_mon,
	       "-c is for a gmon.out: a mon.out has no callers");
}

/* The table of prof(1), unless an option asks for that of a recording */
static bool wants_prof(const struct report_options *request)
{
	const struct flat *flat = &request->flat;

	return !(flat->all || flat->limit || flat->samples || request->by.nr ||
		 request->object || request->function || request->json ||
		 request->html);
}

static void print_text(FILE *out, const struct report_options *request,
		       struct profile *profile, const struct rows *rows)
{
	bool has_head = !request->quiet && !profile->head.format;

	if (has_head) {
		profil_heading_print(out, profile);
		profil_heading_print_origin(out, profile);
	}
	profil_flat_print(out, &request->flat, rows);
	profil_total_print(out, profile);
	profil_notes_print(out, profile);
	if (has_head)
		profil_hints_print(out, profile);
	if (request->arcs)
		print_calls(out, profile);
}

static void print_profile(FILE *out, const struct report_options *request,
			  struct profile *profile)
{
	struct row_choice choice = {
		.nr_by = request->by.nr,
		.is_prof = profile->head.format && wants_prof(request),
		.object = request->object,
		.function = request->function,
		.printable = request->json ? profil_text_utf8 :
					     profil_text_printable,
		.has_totals = true,
	};
	struct rows rows;

	for (int i = 0; i < choice.nr_by; i++)
		choice.by[i] = request->by.at[i];
	if (!choice.nr_by && profile->head.table == TABLE_MACHINE) {
		choice.by[choice.nr_by++] = ROW_PROGRAM;
		choice.by[choice.nr_by++] = ROW_FUNCTION;
	}
	profil_rows_read(&rows, profile, &choice);
	if (request->json)
		profil_json_print(out, profile, &rows, request->flat.limit);
	else
		print_text(out, request, profile, &rows);
	profil_rows_free(&rows);
}

/* A page is for a browser, not for a terminal. */
static void print_page(FILE *out, const struct profile *profile,
		       const char *directory)
{
	refuse(isatty(fileno(out)),
	       "--html prints a page: name a file, as in profil report --html -o profil.html");
	profil_html_print(out, profile, directory);
}

static void read_files(const struct report_options *request, bool is_data,
		       struct profile *profile)
{
	struct files files = {
		.paths = request->files.items,
		.is_gprof = !is_data,
		.program = request->program,
		.how = "with -e",
		.rate = request->rate.hz,
		.lines = !wants_prof(request),
	};

	profil_files_read_exact(&files, profile);
	check_format(request, profile->head.format);
	if (is_data) {
		profil_resolve_again(profile);
		if (request->kernel)
			profil_files_enter_kernel(profile);
	} else if (files.lines) {
		profil_profile_round(profile);
	}
}

static int report(int argc, char **argv)
{
	struct report_options request;
	struct confined child;
	struct profile profile;
	FILE *out = NULL;
	bool is_data;

	parse_report(argc, argv, &request);
	profil_files_check(*request.files.items);
	is_data = profil_files_is_data(*request.files.items);
	if (!is_data && !request.program)
		request.program = "./a.out";
	check(&request, is_data);
	/* Without these, no other file is read. */
	if ((!is_data || request.html || profil_debuginfod_has_servers()) &&
	    !profil_confine(&child, request.output, 0))
		profil_confined_exit(&child);
	if (!request.output)
		out = profil_output_open(NULL, stdout);
	read_files(&request, is_data, &profile);
	if (!out)
		out = profil_output_open(request.output, NULL);
	if (request.html)
		print_page(out, &profile, request.source);
	else
		print_profile(out, &request, &profile);
	profil_output_close(out, request.output);
	profil_profile_free(&profile);
	free(request.files.items);
	return 0;
}

#define AT(member) offsetof(struct report_options, member)

static const struct option_row options[] = {
	{ 'a', "all", OPTION_FLAG, AT(flat.all), NULL,
	  "list all rows, small ones as well", .group = "What is listed" },
	{ 'b', "by", OPTION_CHOICES, AT(by), "KIND",
	  "have a row for each of a kind, or of several kinds with commas between",
	  .choices = profil_row_words, .preset = "function" },
	{ 0, "function", OPTION_REGEX, AT(function), "RE",
	  "list only functions whose name matches the extended regular expression RE" },
	{ 0, "html", OPTION_FLAG, AT(html), NULL,
	  "print a page for a browser, which needs no other file" },
	{ 'j', "json", OPTION_FLAG, AT(json), NULL, "print JSON" },
	{ 'k', "kernel", OPTION_FLAG, AT(kernel), NULL,
	  "count kernel time in the functions of the kernel (recordings of root)" },
	{ 'l', "limit", OPTION_PERCENT, AT(flat.limit), "PERCENT",
	  "add up rows below PERCENT of the samples in one line" },
	{ 'n', "show-nr-samples", OPTION_FLAG, AT(flat.samples), NULL,
	  "have a column with numbers of samples" },
	{ 0, "object", OPTION_REGEX, AT(object), "RE",
	  "list only functions of files whose path matches RE" },
	{ 'q', "quiet", OPTION_FLAG, AT(quiet), NULL,
	  "leave out the head and the hints" },
	{ 0, "source", OPTION_STRING, AT(source), "DIR",
	  "look for the source files of a page in DIR first" },
	{ 'c', "callers", OPTION_FLAG, AT(arcs), NULL,
	  "list the callers of each function, too",
	  .group = "For a gmon.out or mon.out" },
	{ 'e', "program", OPTION_STRING, AT(program), "PROGRAM",
	  "the program or library that wrote DATA, if it is not the first operand or ./a.out" },
	{ 'F', "freq", OPTION_RATE, AT(rate), "HZ",
	  "the rate of a mon.out, which does not contain it" },
	{ 'g', "call-graph", OPTION_REFUSED, 0, NULL,
	  "there are no call stacks; -c lists the callers in a gmon.out" },
	{ 'h', "help", OPTION_HELP, 0, NULL, "print this summary",
	  .group = "For all" },
	{ 'i', "input", OPTION_LIST, AT(files), "DATA", "one more DATA" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, not to stdout" },
	{ 0 }
};

const struct verb profil_verb_report = {
	.name = "report",
	.operands = "[PROGRAM] [DATA]...",
	.about =
		"profil report prints the profile in a profil.data, which profil record or\n"
		"profil run has saved, or in a gmon.out or mon.out that PROGRAM, or ./a.out,\n"
		"has written, or the sum of several. Without DATA it is ./profil.data, or else\n"
		"./gmon.out or ./mon.out.\n",
	.example = "Example: profil report --by program,object --limit 5\n"
		   "         profil report ./program gmon.out\n",
	.options = options,
	.main = report,
};
