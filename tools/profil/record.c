// SPDX-License-Identifier: GPL-2.0-only
/* `profil record`: record a command or a process into a file */
#include <sys/stat.h>

#include "profile/data_file.h"
#include "record/recorder.h"
#include "record/saved.h"
#include "util/output.h"
#include "verbs.h"

static void check(const struct record_request *record)
{
	char path[PATH_MAX];

	bool is_stdout = !strcmp(record->data, "-");

	refuse(record->is_machine && record->pids.nr,
	       "-a records all programs, and -p one process: give one of them");
	refuse(!*record->argv && !record->pids.nr && !record->is_machine,
	       "record: name the command to record, as in profil record -- make");
	refuse(record->children && !record->pids.nr,
	       "--children is about the process of -p: children of a command are recorded without it");
	refuse(record->is_optional && record->pids.nr,
	       "--if-possible runs COMMAND without a profile if need be, and with -p there is none to profile: leave it out");
	refuse(record->is_optional && !*record->argv,
	       "--if-possible runs COMMAND without a profile if need be, and there is no COMMAND: leave it out");
	if (is_stdout)
		profil_output_stdout();
	refuse(is_stdout && isatty(1),
	       "-o - writes a profile to stdout, which is a terminal: name a file, or use a pipe");
	refuse(is_stdout && record->every_ns,
	       "--every writes the file again and again: name a file with -o");
	/* A pipe or a device gets one profile: none can replace it. */
	if (record->every_ns && profil_save_is_special(record->data))
		die_err("--every writes the file again and again, and %s is no regular file: name another file with -o",
			record->data);
	if (*record->argv && profil_child_find(*record->argv, path))
		profil_output_check_input(record->data, path);
}

static void make_spool(const char *path)
{
	if ((mkdir(path, 0700) && errno != EEXIST) ||
	    access(path, R_OK | W_OK | X_OK))
		die_err("cannot use the directory %s (%s): name another one with --spool",
			path, strerror(errno));
}

/* The usual name, if @path is it after "./"; else @path */
static const char *usual_name(const char *path)
{
	const char *rest = path;

	while (*rest == '.' && rest[1] == '/')
		rest += 1 + strspn(rest + 1, "/");
	return strcmp(rest, DATA_NAME) ? path : rest;
}

static void parse_record(int argc, char **argv, struct record_request *request)
{
	*request = (struct record_request){
		.data = DATA_NAME,
	};
	profil_option_parse(&profil_verb_record, argc, argv, request);
	request->data = usual_name(request->data);
	request->argv = argv + optind;
	if (request->cgroup)
		request->is_machine = true;
	request->is_required = !request->is_optional;
	if (profil_save_descriptor(request->data) == STDOUT_FILENO)
		request->data = "-";
	check(request);
	if (request->spool)
		make_spool(request->spool);
}

/* A profile that is not in its file is an error, though it is not lost. */
static int record(int argc, char **argv)
{
	struct recorder recorder;
	struct record_request request;
	struct profile profile;
	bool failed = false;
	int status;

	parse_record(argc, argv, &request);
	profil_profile_init(&profile);
	if (profil_recorder_run(&recorder, &request, &profile)) {
		if (!request.is_quiet)
			profil_saved_print_summary(&recorder, &profile);
		failed = profil_saved_warn(&recorder);
	}
	profil_profile_free(&profile);
	if (recorder.is_unspooled)
		warnx("the last profile is not written to %s", request.spool);
	status = profil_recorder_end(&recorder);
	return failed ? EXIT_PROFIL : status;
}

#define AT(member) offsetof(struct record_request, member)

static const struct option_row options[] = {
	{ 'a', "all", OPTION_FLAG, AT(is_machine), NULL,
	  "record all programs of the machine, until COMMAND ends, or a signal" },
	{ 'b', "by", OPTION_REFUSED, 0, NULL,
	  "profil record saves all that --by tells apart; afterwards: profil report --by KIND" },
	{ 0, "cgroup", OPTION_STRING, AT(cgroup), "PATH",
	  "as -a: record the programs in the cgroup PATH, as in system.slice" },
	{ 0, "children", OPTION_FLAG, AT(children), NULL,
	  "with -p: also the children of the process, running and later ones" },
	{ 0, "delay", OPTION_SECONDS, AT(delay_ns), "TIME",
	  "begin to record after TIME, as in 2s, 500ms or 1m" },
	{ 0, "duration", OPTION_SECONDS, AT(duration_ns), "TIME",
	  "end the recording after TIME; the command continues" },
	{ 0, "every", OPTION_SECONDS, AT(every_ns), "TIME",
	  "save the profile so far after each TIME, too" },
	{ 'F', "freq", OPTION_RATE, AT(rate), "HZ",
	  "take HZ samples a second of CPU time, instead of one in each tick of the kernel" },
	{ 'g', "call-graph", OPTION_REFUSED, 0, NULL,
	  "the callers of each sample are recorded without it" },
	OPTION_ROW_HELP,
	{ 0, "if-possible", OPTION_FLAG, AT(is_optional), NULL,
	  "if profil cannot record, run COMMAND without a profile" },
	{ 'j', "json", OPTION_REFUSED, 0, NULL,
	  "profil record prints no profile; for JSON, afterwards: profil report --json" },
	{ 'k', "kernel", OPTION_REFUSED, 0, NULL,
	  "root records the functions of the kernel without it, and profil report -k shows them" },
	{ 0, "no-callers", OPTION_FLAG, AT(lacks_callers), NULL,
	  "do not record the callers of the samples" },
	{ 'o', "output", OPTION_STRING, AT(data), "FILE",
	  "save the profile in FILE, not in profil.data; - is stdout" },
	{ 'p', "pid", OPTION_NUMBERS, AT(pids), "PID",
	  "record the running process PID, or several with commas between, until they end, COMMAND ends, or a signal",
	  .least = 1, .most = INT_MAX },
	{ 'q', "quiet", OPTION_FLAG, AT(is_quiet), NULL, "print no summary" },
	{ 0, "spool", OPTION_STRING, AT(spool), "DIRECTORY",
	  "with --every: write each interval to a file in DIRECTORY, for profil push --follow" },
	{ 0, "threads", OPTION_FLAG, AT(has_threads), NULL,
	  "distinguish threads by name, for report --by thread" },
	{ 0 }
};

const struct verb profil_verb_record = {
	.name = "record",
	.operands = "-a | -p PID | [--] COMMAND [ARGUMENT]...",
	.about =
		"profil record runs COMMAND and saves its profile, with the names of all\n"
		"functions and source lines, in the file profil.data for profil report. With\n"
		"-p it records a process that runs already, and with -a all programs of the\n"
		"machine, while COMMAND, if any, runs.\n",
	.example =
		"Example: profil record -F 1000 -o build.data -- make -j2\n"
		"         profil record -p $(pidof -s postgres) --children -- sleep 10\n"
		"         profil record -a --cgroup system.slice --duration 1m\n",
	.operands_end_options = true,
	.options = options,
	.main = record,
	.completion = COMPLETE_COMMAND,
};
