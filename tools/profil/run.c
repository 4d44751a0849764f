// SPDX-License-Identifier: GPL-2.0-only
/* `profil run`: record a command, and print where it spent its time */
#include "print/flat.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/notes.h"
#include "profile/data_file.h"
#include "profile/kernel.h"
#include "record/recorder.h"
#include "record/saved.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

/*
 * Options and operands; @output is NULL for stderr. @verbose: print the files with
 * samples, too
 */
struct run_options {
	struct record_request record;
	struct flat flat;
	bool verbose;
	const char *output;
};

static void parse_run(int argc, char **argv, struct run_options *request)
{
	char path[PATH_MAX];

	*request = (struct run_options){ .record.data = DATA_NAME };
	profil_option_parse(&profil_verb_run, argc, argv, request);
	request->record.argv = argv + optind;
	refuse(!*request->record.argv,
	       "run: name the command to run, as in profil run -- ls -l");
	if (profil_child_find(*request->record.argv, path))
		profil_output_check_input(request->output, path);
}

static void print_files(FILE *out, const struct profile *profile)
{
	struct naming *namings = profil_profile_namings(profile);

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];
		uint64_t samples = namings[i].samples;
		char *name;

		if (object->kind != PROFILE_FILE || !samples)
			continue;
		name = profil_text_printable(object->path);
		fprintf(out, "%9" PRIu64 " samples in %s\n", samples, name);
		free(name);
	}
	free(namings);
}

static void print_profile(FILE *out, const struct run_options *request,
			  const struct recorder *recorder,
			  const struct profile *profile)
{
	static const struct row_choice by_function = {
		.printable = profil_text_printable,
		.has_totals = true,
	};
	struct rows rows;

	profil_rows_read(&rows, profile, &by_function);
	if (!request->record.is_quiet)
		profil_heading_print(out, profile);
	profil_flat_print(out, &request->flat, &rows);
	profil_total_print(out, profile);
	profil_notes_print(out, profile);
	if (request->verbose)
		print_files(out, profile);
	if (!request->record.is_quiet) {
		profil_hints_print(out, profile);
		profil_saved_print(out, recorder, profile, &rows);
	}
	profil_rows_free(&rows);
}

static int run(int argc, char **argv)
{
	struct recorder recorder;
	struct run_options request;
	struct profile profile;
	FILE *out;

	parse_run(argc, argv, &request);
	out = profil_output_open(request.output, stderr);
	profil_profile_init(&profile);
	if (profil_recorder_run(&recorder, &request.record, &profile)) {
		if (request.record.needs_kernel)
			profil_profile_enter_kernel(&profile);
		print_profile(out, &request, &recorder, &profile);
		if (!request.record.is_quiet)
			profil_saved_warn(&recorder);
	}
	profil_output_close(out, request.output);
	profil_profile_free(&profile);
	return profil_recorder_end(&recorder);
}

#define AT(member) offsetof(struct run_options, member)

static const struct option_row options[] = {
	{ 'a', "all", OPTION_FLAG, AT(flat.all), NULL,
	  "list all functions, small ones as well" },
	{ 'b', "by", OPTION_REFUSED, 0, NULL,
	  "profil run lists functions; for other rows, afterwards: profil report --by KIND" },
	{ 'F', "freq", OPTION_RATE, AT(record.rate), "HZ",
	  "take HZ samples a second of CPU time, instead of one\n"
	  "in each tick of the kernel" },
	{ 'g', "call-graph", OPTION_REFUSED, 0, NULL,
	  "the callers of each sample are recorded without it" },
	OPTION_ROW_HELP,
	{ 0, "html", OPTION_REFUSED, 0, NULL,
	  "profil run prints a table; afterwards: profil report --html -o profil.html" },
	{ 'j', "json", OPTION_REFUSED, 0, NULL,
	  "profil run prints a table; afterwards: profil report --json" },
	{ 'k', "kernel", OPTION_FLAG, AT(record.needs_kernel), NULL,
	  "count kernel time in the functions of the kernel, as root" },
	{ 'l', "limit", OPTION_REFUSED, 0, NULL,
	  "profil run chooses the limit; afterwards: profil report --limit PERCENT" },
	{ 0, "no-callers", OPTION_FLAG, AT(record.lacks_callers), NULL,
	  "do not record the callers of the samples" },
	{ 'n', "show-nr-samples", OPTION_FLAG, AT(flat.samples), NULL,
	  "have a column with numbers of samples" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, or with - to stdout, not to stderr" },
	{ 'p', "pid", OPTION_REFUSED, 0, NULL,
	  "profil run profiles a command; for a process that runs: profil record -p" },
	{ 'q', "quiet", OPTION_FLAG, AT(record.is_quiet), NULL,
	  "leave out the head and the hints" },
	{ 'v', "verbose", OPTION_FLAG, AT(verbose), NULL,
	  "list the files with samples, too" },
	{ 0 }
};

const struct verb profil_verb_run = {
	.name = "run",
	.operands = "[--] COMMAND [ARGUMENT]...",
	.about =
		"profil run runs COMMAND and prints its flat profile: how much CPU time it\n"
		"spent in each function of its program and its shared libraries. The profile\n"
		"is saved in ./profil.data, too.\n",
	.example =
		"Example: profil run -F 1000 -- xz -9 -k -c big.tar >/dev/null\n",
	.operands_end_options = true,
	.options = options,
	.main = run,
	.completion = COMPLETE_COMMAND,
};
