// SPDX-License-Identifier: GPL-2.0-only
/* `profil record`: record a command into a file */
#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "include/reach.h"
#include "print/saved.h"
#include "profile/data_file.h"
#include "record/recorder.h"
#include "util/exit_status.h"
#include "util/output.h"
#include "verbs.h"

/**
 * struct request - options and operands
 * @record: what is recorded
 * @quiet: print no summary
 */
struct request {
	struct record_request record;
	bool quiet;
};

static void check(const struct record_request *record)
{
	char path[REACH_PATH];

	if (!*record->argv)
		errx(EXIT_PROFIL,
		     "record: name the command to record, as in profil record -- make");
	if (!strcmp(record->data, "-"))
		profil_output_stdout();
	if (!strcmp(record->data, "-") && isatty(1))
		errx(EXIT_PROFIL,
		     "-o - writes a profile to stdout, which is a terminal: name a file, or use a pipe");
	if (!strcmp(record->data, "-") && record->every_ns)
		errx(EXIT_PROFIL,
		     "--every writes the file again and again: name a file with -o");
	/* A pipe or a device gets one profile: none can replace it. */
	if (record->every_ns && profil_save_is_special(record->data))
		errx(EXIT_PROFIL,
		     "--every writes the file again and again, and %s is no regular file: name another file with -o",
		     record->data);
	if (profil_reach_find(*record->argv, path))
		profil_output_check_input(record->data, path);
}

static void parse(int argc, char **argv, struct request *request)
{
	*request = (struct request){
		.record.data = DATA_NAME,
		.record.is_required = true,
	};
	profil_option_parse(&profil_verb_record, argc, argv, request);
	request->record.argv = argv + optind;
	if (profil_save_descriptor(request->record.data) == STDOUT_FILENO)
		request->record.data = "-";
	check(&request->record);
}

/* A profile that is not in its file is an error, though it is not lost. */
static int record(int argc, char **argv)
{
	struct recorder recorder;
	struct request request;
	struct profile profile;
	bool failed = false;
	int status;

	parse(argc, argv, &request);
	profil_profile_init(&profile);
	if (profil_recorder_run(&recorder, &request.record, &profile)) {
		if (!request.quiet)
			profil_saved_print_summary(&recorder, &profile);
		failed = profil_saved_warn(&recorder);
	}
	profil_profile_free(&profile);
	status = profil_recorder_end(&recorder);
	return failed ? EXIT_PROFIL : status;
}

#define AT(member) offsetof(struct request, member)

static const struct option_row options[] = {
	{ 0, "delay", OPTION_SECONDS, AT(record.delay_ns), "TIME",
	  "begin to record after TIME, as in 2s, 500ms or 1m" },
	{ 0, "duration", OPTION_SECONDS, AT(record.duration_ns), "TIME",
	  "end the recording after TIME; the command continues" },
	{ 0, "every", OPTION_SECONDS, AT(record.every_ns), "TIME",
	  "save the profile so far after each TIME, too" },
	{ 'F', "freq", OPTION_RATE, AT(record.rate), "HZ",
	  "take HZ samples a second of CPU time, instead of one in each tick of the kernel" },
	{ 'g', "call-graph", OPTION_REFUSED, 0, NULL,
	  "there are no call stacks, only the function that runs; perf(1) has them" },
	OPTION_ROW_HELP,
	{ 'o', "output", OPTION_STRING, AT(record.data), "FILE",
	  "save the profile in FILE, not in profil.data; - is stdout" },
	{ 'p', "pid", OPTION_REFUSED, 0, NULL,
	  "only a command that profil starts can be profiled: name the command" },
	{ 'q', "quiet", OPTION_FLAG, AT(quiet), NULL, "print no summary" },
	{ 0 }
};

const struct verb profil_verb_record = {
	.name = "record",
	.operands = "[--] COMMAND [ARGUMENT]...",
	.about =
		"profil record runs COMMAND and saves its profile, with the names of all\n"
		"functions and source lines, in the file profil.data for profil report.\n",
	.example = "Example: profil record -F 1000 -o build.data -- make -j2\n",
	.operands_end_options = true,
	.options = options,
	.main = record,
	.completion = COMPLETE_COMMAND,
};
