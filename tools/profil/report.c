// SPDX-License-Identifier: GPL-2.0-only
/* `profil report`: print the profile in files */
#include "elf/confined.h"
#include "html/print.h"
#include "print/arcs.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/json.h"
#include "print/notes.h"
#include "profile/data_file.h"
#include "read/files.h"
#include "read/through.h"
#include "resolve/resolve.h"
#include "util/output.h"
#include "util/text.h"
#include "util/value.h"
#include "verbs.h"

/*
 * Options and operands, of which all pointers may be NULL: @output is stdout then.
 * @rate: samples a second of a mon.out. @kind: that of the first file. @graph:
 * print the tree of calls. @callers: the function whose callers are printed. @by: indices
 * of enum row_key. @source: directory with the source files. @quiet: print neither heading
 * nor hints
 */
struct report_options {
	const char *program;
	const char *output;
	struct option_rate rate;
	bool graph;
	const char *callers;
	struct option_list files;
	enum file_kind kind;
	struct value_choices by;
	struct flat flat;
	regex_t *object;
	regex_t *function;
	regex_t *through;
	regex_t *through_object;
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
	die_err("report: no profil.data, gmon.out or mon.out in this directory: name a file, as in profil report -i FILE");
}

static void parse_report(int argc, char **argv, struct report_options *request)
{
	*request = (struct report_options){ 0 };
	profil_option_parse(&profil_verb_report, argc, argv, request);
	if (!request->program &&
	    profil_files_kind(argv[optind]) == FILE_PROGRAM)
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
		die_err("-F %ld: give 1 to %d samples a second", rate->hz,
			INT_MAX);
}

/* Options that a profil.data has no use for */
static void check_data(const struct report_options *request)
{
	refuse(request->program,
	       "-e is for a gmon.out or mon.out: a profil.data has the names of its functions");
	refuse(request->rate.is_set,
	       "-F is for a mon.out: a profil.data contains its rate");
}

/* The output must not overwrite an input. */
static void check_output(const struct report_options *request)
{
	if (request->program)
		profil_output_check_input(request->output, request->program);
	for (char **file = request->files.items; *file; file++)
		profil_output_check_input(request->output, *file);
}

/* The tree of calls, and the callers of a function */
static void check_calls(const struct report_options *request)
{
	refuse(request->graph && request->callers,
	       "-g has all functions, and -c one: give one of them");
	refuse(request->by.nr || request->html || request->function,
	       "-g and -c have functions with their callers: leave --by, --html and --function out");
	refuse(request->graph && request->object,
	       "-g has whole stacks: give --through-object in place of --object");
}

static bool is_through(const struct report_options *request)
{
	return request->through || request->through_object;
}

static bool is_data(const struct report_options *request)
{
	return request->kind == FILE_DATA;
}

static bool has_stacks(const struct report_options *request)
{
	return is_data(request) || request->kind == FILE_CPUPROF;
}

static void check(const struct report_options *request)
{
	if (is_data(request))
		check_data(request);
	else
		check_rate(&request->rate);
	refuse(request->html && (request->by.nr || request->object ||
				 request->function || request->json),
	       "--html has all functions, and filters them in the browser: leave --by, --function, --object and --json out");
	refuse(request->source && !request->html,
	       "--source is for --html: no other report shows source files");
	refuse(request->kernel && !is_data(request),
	       "-k is for a profil.data: other files have no kernel functions");
	refuse(is_through(request) && (request->html || !has_stacks(request)),
	       "--through and --through-object are for the stacks in a profil.data: leave --html out");
	if (request->graph || request->callers)
		check_calls(request);
	check_output(request);
}

/* Some options need a certain format. */
static void check_format(const struct report_options *request,
			 const char *format)
{
	bool is_mon = format && !strcmp(format, "mon.out");

	refuse(format && request->rate.is_set && !is_mon,
	       "-F is for a mon.out: a gmon.out contains its rate");
	refuse((request->graph || request->callers) && is_mon,
	       "-g and -c are for a profil.data or gmon.out: a mon.out has no callers");
}

/* The table of prof(1), unless an option asks for that of a recording */
static bool wants_prof(const struct report_options *request)
{
	const struct flat *flat = &request->flat;

	return !(flat->all || flat->limit || flat->samples || flat->by_total ||
		 request->by.nr || request->object || request->function ||
		 request->json || request->html);
}

/* A file of gperftools has stacks, which that table has not. */
static bool is_of_prof(const struct profile *profile)
{
	return profile->head.format && !profile->nr_stacks;
}

static bool has_head(const struct report_options *request,
		     const struct profile *profile)
{
	return !request->json && !request->quiet && !profile->head.format;
}

/* Print the head, once nothing is left that could be refused. */
static void print_head(FILE *out, const struct report_options *request,
		       const struct profile *profile)
{
	if (!has_head(request, profile))
		return;
	profil_heading_print(out, profile);
	profil_heading_print_origin(out, profile);
}

static void print_table(FILE *out, const struct report_options *request,
			struct profile *profile)
{
	struct row_choice choice = {
		.nr_by = request->by.nr,
		.is_prof = is_of_prof(profile) && wants_prof(request),
		.object = request->object,
		.function = request->function,
		.printable = request->json ? profil_text_utf8 :
					     profil_text_printable,
		.by_total = request->flat.by_total,
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
	print_head(out, request, profile);
	if (request->json)
		profil_json_print(out, profile, &rows, request->flat.limit);
	else
		profil_flat_print(out, &request->flat, &rows);
	profil_rows_free(&rows);
}

static void check_found(const struct report_options *request, uint32_t nr)
{
	if (!nr)
		die_err("-c %s: no function of the profile has such a name: profil report -a lists the names",
			request->callers);
}

/* The calls in a gmon.out: of the function that the user names, or of all functions */
static void print_arcs(FILE *out, const struct report_options *request,
		       const struct profile *profile)
{
	uint32_t nr, *found = profil_arcs_find(profile, request->callers,
					       request->object, &nr);

	if (request->callers) {
		check_found(request, nr);
		if (!request->json)
			profil_functions_print_others(out, profile, found + 1,
						      nr - 1);
		nr = 1;
	}
	if (request->json)
		profil_arcs_print_json(out, profile, found, nr);
	else
		profil_arcs_print(out, profile, found, nr);
	free(found);
}

static void print_function(FILE *out, const struct report_options *request,
			   const struct call_tree *calls,
			   const struct flat *flat)
{
	uint32_t nr, name;
	uint32_t *found = profil_call_tree_find(calls, request->callers,
						request->object, &nr);

	check_found(request, nr);
	name = profil_call_tree_name(calls, *found);
	print_head(out, request, calls->profile);
	if (request->json) {
		profil_json_print_function(out, calls, name, flat);
	} else {
		profil_functions_print_others(out, calls->profile, found + 1,
					      nr - 1);
		profil_call_tree_print_function(out, calls, name, flat,
						profil_output_columns(out));
	}
	free(found);
}

/* JSON has all nodes, unless the user sets a limit. */
static void print_calls(FILE *out, const struct report_options *request,
			const struct profile *profile)
{
	struct flat flat = request->flat;
	struct call_tree calls;

	flat.all |= request->json && !flat.limit;
	profil_call_tree_read(&calls, profile,
			      request->json ? profil_text_utf8 :
					      profil_text_printable);
	if (request->callers) {
		print_function(out, request, &calls, &flat);
	} else if (request->json) {
		profil_json_print_tree(out, &calls, &flat);
	} else {
		print_head(out, request, profile);
		profil_call_tree_print_tree(out, &calls, &flat);
	}
	profil_call_tree_free(&calls);
}

static bool wants_calls(const struct report_options *request)
{
	return request->graph || request->callers;
}

/* What the user has asked for: rows, or calls */
static void print_body(FILE *out, const struct report_options *request,
		       struct profile *profile)
{
	if (!wants_calls(request))
		print_table(out, request, profile);
	else if (is_of_prof(profile))
		print_arcs(out, request, profile);
	else
		print_calls(out, request, profile);
}

static void print_text(FILE *out, const struct report_options *request,
		       struct profile *profile)
{
	print_body(out, request, profile);
	profil_total_print(out, profile);
	profil_notes_print(out, profile);
	if (has_head(request, profile))
		profil_hints_print(out, profile);
}

/* A page is for a browser, not for a terminal. */
static void print_page(FILE *out, const struct profile *profile,
		       const char *directory)
{
	refuse(isatty(fileno(out)),
	       "--html prints a page: name a file, as in profil report --html -o profil.html");
	profil_html_print(out, profile, directory);
}

/* Keep the samples that the user asks for by their callers. */
static void keep_stacks(const struct report_options *request,
			struct profile *profile)
{
	bool needs_stacks = wants_calls(request) || is_through(request);

	if (needs_stacks && !profile->nr_stacks)
		die_err("%s has no callers: record it again, on x86-64 or arm64 and without --no-callers",
			profil_file_name(*request->files.items));
	if (is_through(request))
		profil_profile_keep_through(profile, request->through,
					    request->through_object);
}

static void read_files(const struct report_options *request,
		       struct profile *profile)
{
	struct files files = {
		.paths = request->files.items,
		.is_gprof = !is_data(request),
		.program = request->program,
		.how = "with -e",
		.rate = request->rate.hz,
		.lines = !wants_prof(request),
	};

	profil_files_read_exact(&files, profile);
	check_format(request, profile->head.format);
	if (is_data(request)) {
		profil_resolve_again(profile);
		if (request->kernel)
			profil_files_enter_kernel(profile);
	}
	if (has_stacks(request))
		keep_stacks(request, profile);
	else if (files.lines)
		profil_profile_round(profile);
}

static int report(int argc, char **argv)
{
	struct report_options request;
	struct confined child;
	struct profile profile;
	FILE *out = NULL;

	parse_report(argc, argv, &request);
	profil_files_check(*request.files.items);
	request.kind = profil_files_kind(*request.files.items);
	if (!has_stacks(&request) && !request.program)
		request.program = "./a.out";
	check(&request);
	/* Without these, no other file is read. */
	if ((!is_data(&request) || request.html ||
	     profil_debuginfod_has_servers()) &&
	    !profil_confine(&child, request.output, 0))
		profil_confined_exit(&child);
	if (!request.output)
		out = profil_output_open(NULL, stdout);
	read_files(&request, &profile);
	if (!out)
		out = profil_output_open(request.output, NULL);
	if (request.html)
		print_page(out, &profile, request.source);
	else if (request.json)
		print_body(out, &request, &profile);
	else
		print_text(out, &request, &profile);
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
	{ 'c', "callers", OPTION_STRING, AT(callers), "FUNCTION",
	  "print the callers of FUNCTION, and what it has called",
	  .completion = COMPLETE_NOTHING },
	{ 0, "function", OPTION_REGEX, AT(function), "RE",
	  "list only functions whose name matches the extended regular expression RE" },
	{ 'g', "call-graph", OPTION_FLAG, AT(graph), NULL,
	  "print the tree of calls; of a gmon.out, the calls of each function" },
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
	{ 0, "through", OPTION_REGEX, AT(through), "RE",
	  "count only samples with a function on the stack whose name matches RE" },
	{ 0, "through-object", OPTION_REGEX, AT(through_object), "RE",
	  "the same with one of a file whose path matches RE" },
	{ 0, "total", OPTION_FLAG, AT(flat.by_total), NULL,
	  "sort by the time with what a row has called, not by that of its own" },
	{ 'e', "program", OPTION_STRING, AT(program), "PROGRAM",
	  "the program or library that wrote DATA, if it is not the first operand or ./a.out",
	  .group = "For a gmon.out or mon.out" },
	{ 'F', "freq", OPTION_RATE, AT(rate), "HZ",
	  "the rate of a mon.out, which does not contain it" },
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
