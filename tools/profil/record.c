// SPDX-License-Identifier: GPL-2.0-only
/* `profil record`: record a command or a process into a file */
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/reach.h"
#include "print/saved.h"
#include "profile/data_file.h"
#include "push/stream.h"
#include "record/recorder.h"
#include "util/exit_status.h"
#include "util/output.h"
#include "verbs.h"

/**
 * struct record_options - options and operands
 * @record: what is recorded
 * @push: where profiles are pushed to
 * @labels: labels of the profiles
 * @headers: lines of the header of requests
 * @quiet: print no summary
 */
struct record_options {
	struct record_request record;
	struct stream_request push;
	struct option_list labels;
	struct option_list headers;
	bool quiet;
};

/* Usual limit of a spool */
#define SPOOL_MIB 64L

static char spool_path[PATH_MAX];

static void check(const struct record_request *record)
{
	char path[REACH_PATH];

	if (!*record->argv && !record->pid)
		errx(EXIT_PROFIL,
		     "record: name the command to record, as in profil record -- make");
	if (record->children && !record->pid)
		errx(EXIT_PROFIL,
		     "--children is about the process of -p: children of a command are recorded without it");
	if (record->is_optional && record->pid)
		errx(EXIT_PROFIL,
		     "--if-possible runs COMMAND without a profile if need be, and with -p there is none to profile: leave it out");
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
	if (*record->argv && profil_reach_find(*record->argv, path))
		profil_output_check_input(record->data, path);
}

/* Options that are about --push need it. */
static void check_push(const struct stream_request *push)
{
	if (push->url)
		return;
	if (push->labels || push->headers || push->netrc || push->spool ||
	    push->spool_mib != SPOOL_MIB)
		errx(EXIT_PROFIL,
		     "record: --header, --label, --netrc, --spool and --spool-limit belong to --push: name a server with --push, too");
}

/* The spool is beside the recording, unless it has another place. */
static void parse_push(struct record_options *request)
{
	struct stream_request *push = &request->push;
	const char *data = request->record.data;

	push->labels = request->labels.items;
	push->headers = request->headers.items;
	check_push(push);
	if (!push->url || push->spool)
		return;
	if (profil_save_is_special(data))
		data = DATA_NAME;
	push->spool = spool_path;
	snprintf(spool_path, sizeof(spool_path), "%s.spool", data);
}

/* The usual name, if @path is it after "./"; else @path */
static const char *usual_name(const char *path)
{
	const char *rest = path;

	while (*rest == '.' && rest[1] == '/')
		rest += 1 + strspn(rest + 1, "/");
	return strcmp(rest, DATA_NAME) ? path : rest;
}

static void parse_record(int argc, char **argv, struct record_options *request)
{
	*request = (struct record_options){
		.record.data = DATA_NAME,
		.push.spool_mib = SPOOL_MIB,
	};
	profil_option_parse(&profil_verb_record, argc, argv, request);
	request->record.data = usual_name(request->record.data);
	parse_push(request);
	request->record.argv = argv + optind;
	request->record.is_required = !request->record.is_optional;
	if (profil_save_descriptor(request->record.data) == STDOUT_FILENO)
		request->record.data = "-";
	request->push.command = *request->record.argv;
	check(&request->record);
}

/* A profile that is not in its file is an error, though it is not lost. */
static int record(int argc, char **argv)
{
	struct recorder recorder;
	struct record_options request;
	struct profile profile;
	bool failed = false;
	struct stream stream;
	int status;

	parse_record(argc, argv, &request);
	if (request.push.url) {
		profil_stream_begin(&stream, &request.push);
		request.record.stream = &stream;
	}
	profil_profile_init(&profile);
	if (profil_recorder_run(&recorder, &request.record, &profile)) {
		if (!request.quiet)
			profil_saved_print_summary(&recorder, &profile);
		failed = profil_saved_warn(&recorder);
	}
	profil_profile_free(&profile);
	if (request.push.url)
		profil_stream_end(&stream, request.quiet);
	free(request.labels.items);
	free(request.headers.items);
	status = profil_recorder_end(&recorder);
	return failed ? EXIT_PROFIL : status;
}

#define AT(member) offsetof(struct record_options, member)

static const struct option_row options[] = {
	{ 0, "children", OPTION_FLAG, AT(record.children), NULL,
	  "with -p: also the children of the process, running and later ones" },
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
	{ 0, "header", OPTION_LIST, AT(headers), "LINE",
	  "a line NAME: VALUE of the header for --push, or @FILE with such lines",
	  .completion = COMPLETE_NOTHING },
	OPTION_ROW_HELP,
	{ 0, "if-possible", OPTION_FLAG, AT(record.is_optional), NULL,
	  "run COMMAND without a profile if there is no driver, or another obstacle" },
	{ 'l', "label", OPTION_LIST, AT(labels), "LABEL",
	  "a label NAME=VALUE of pushed profiles, in place of the recording's own",
	  .completion = COMPLETE_NOTHING },
	{ 0, "netrc", OPTION_STRING, AT(push.netrc), "FILE",
	  "take the user and password for --push from FILE, not from ~/.netrc" },
	{ 'o', "output", OPTION_STRING, AT(record.data), "FILE",
	  "save the profile in FILE, not in profil.data; - is stdout" },
	{ 'p', "pid", OPTION_NUMBER, AT(record.pid), "PID",
	  "record the running process PID, until it ends, COMMAND ends, or a signal",
	  .least = 1, .most = INT_MAX, .completion = COMPLETE_NOTHING },
	{ 0, "push", OPTION_STRING, AT(push.url), "URL",
	  "push a profile to the server at URL after each TIME of --every and at the end",
	  .completion = COMPLETE_NOTHING },
	{ 'q', "quiet", OPTION_FLAG, AT(quiet), NULL, "print no summary" },
	{ 0, "spool", OPTION_STRING, AT(push.spool), "DIRECTORY",
	  "keep profiles there while the server is away; usual is FILE.spool" },
	{ 0, "spool-limit", OPTION_NUMBER, AT(push.spool_mib), "MIB",
	  "drop the oldest profiles of the spool beyond MIB", .preset = "64",
	  .least = 1, .most = 1048576 },
	{ 0 }
};

const struct verb profil_verb_record = {
	.name = "record",
	.operands = "-p PID | [--] COMMAND [ARGUMENT]...",
	.about =
		"profil record runs COMMAND and saves its profile, with the names of all\n"
		"functions and source lines, in the file profil.data for profil report. With\n"
		"-p it records a process that runs already, while COMMAND, if any, runs.\n",
	.example =
		"Example: profil record -F 1000 -o build.data -- make -j2\n"
		"         profil record -p $(pidof -s postgres) --children -- sleep 10\n",
	.operands_end_options = true,
	.options = options,
	.main = record,
	.completion = COMPLETE_COMMAND,
};
