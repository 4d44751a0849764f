// SPDX-License-Identifier: GPL-2.0-only
/* `profil annotate`: print the source lines or instructions of a function */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/page.h"
#include "profile/data_file.h"
#include "read/files.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/output.h"
#include "verbs.h"

/**
 * struct pager - a program that shows output by pages
 * @process: its process ID, or 0 if it was not started
 * @out: where to print
 */
struct pager {
	pid_t process;
	FILE *out;
};

/* less(1) is not on every system. */
static bool has_less(void)
{
	return !access("/usr/bin/less", X_OK) || !access("/bin/less", X_OK);
}

static const char *command(void)
{
	const char *pager = getenv("PAGER");

	if (!pager)
		return has_less() ? "less -R" : NULL;
	pager += strspn(pager, " \t");
	return *pager && strcmp(pager, "cat") ? pager : NULL;
}

/* less(1) ends at once if the output fits on the screen, as under git(1). */
static bool start(const char *line, int input, pid_t *process)
{
	char *argv[4] = { "sh", "-c", (char *)line, NULL };
	posix_spawn_file_actions_t actions;
	bool started;

	setenv("LESS", "FRX", 0);
	if (posix_spawn_file_actions_init(&actions))
		return false;
	started =
		!posix_spawn_file_actions_adddup2(&actions, input, 0) &&
		!posix_spawnp(process, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return started;
}

/*
 * Start $PAGER, or less(1), if @out is a terminal; otherwise the output goes to
 * @out. An empty PAGER, or "cat", is none.
 */
static void begin_pager(struct pager *pager, FILE *out)
{
	const char *line = isatty(fileno(out)) ? command() : NULL;
	int ends[2];

	*pager = (struct pager){ .out = out };
	if (!line || pipe2(ends, O_CLOEXEC))
		return;
	if (start(line, ends[0], &pager->process))
		pager->out = fdopen(ends[1], "w");
	else
		close(ends[1]);
	close(ends[0]);
	if (!pager->out) {
		close(ends[1]);
		pager->out = out;
	}
	if (!pager->process)
		return;
	/* The user may leave the pager before it has read everything. */
	signal(SIGPIPE, SIG_IGN);
	/* Ctrl-C is for the pager, which would be left without its terminal. */
	signal(SIGINT, SIG_IGN);
}

/* The shell ends with one of these if it cannot execute a command. */
static bool was_executed(int status)
{
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

/*
 * Wait for the pager. What it was not ready to read is dropped. False if the shell
 * could not execute it.
 */
static bool end_pager(struct pager *pager)
{
	int status;

	if (!pager->process)
		return true;
	fclose(pager->out);
	return waitpid(pager->process, &status, 0) < 0 || was_executed(status);
}

/**
 * struct annotate_options - options and operands
 * @input: the recording
 * @program: program that wrote a gmon.out or mon.out, or NULL
 * @output: file to print to, or NULL for stdout
 * @source: directory with the source files, or NULL
 * @object: pattern for paths of objects, or NULL
 * @all: show all instructions
 * @function: name of the function, or NULL for the hottest
 */
struct annotate_options {
	const char *input;
	const char *program;
	const char *output;
	const char *source;
	regex_t *object;
	bool all;
	const char *function;
};

static void parse_annotate(int argc, char **argv,
			   struct annotate_options *request)
{
	*request = (struct annotate_options){ .input = DATA_NAME };
	profil_option_parse(&profil_verb_annotate, argc, argv, request);
	request->function = argv[optind];
	if (argv[optind] && argv[optind + 1])
		errx(EXIT_PROFIL,
		     "annotate: name one function, in quotes if the name has spaces, as in profil annotate \"%s %s\"",
		     argv[optind], argv[optind + 1]);
}

/* Read the profile, and set the input to its name in messages. */
static void read_profile(struct profile *profile,
			 struct annotate_options *request)
{
	char *paths[2] = { (char *)request->input, NULL };
	struct files files = {
		.paths = paths,
		.program = request->program,
		.how = "with -e",
	};

	profil_files_read(&files, profile);
	request->input = profil_file_name(paths[0]);
	if (!profil_profile_total(profile))
		errx(EXIT_PROFIL,
		     "%s has no samples: record a longer run, or with a higher -F",
		     request->input);
}

static void find(struct subject *subject,
		 const struct annotate_options *request,
		 const struct profile *profile)
{
	if (profil_subject_find(subject, profile, request->function,
				request->object))
		return;
	if (request->function)
		errx(EXIT_PROFIL,
		     "no function of %s has samples and a name with \"%s\": profil report -a lists the names",
		     request->input, request->function);
	if (request->object)
		errx(EXIT_PROFIL,
		     "no function of %s has samples and an object that matches --object",
		     request->input);
	errx(EXIT_PROFIL, "no function of %s has samples", request->input);
}

static void print(const struct annotate_options *request,
		  const struct subject *subject)
{
	struct page page = {
		.all = request->all,
		.key = "-s",
		.source = request->source,
		.subject = subject,
	};
	FILE *out = profil_output_open(request->output, stdout);
	struct pager pager;

	page.has_colours = profil_output_has_colours(out);
	begin_pager(&pager, out);
	page.out = pager.out;
	profil_annotate_print(&page, request->input);
	if (!end_pager(&pager))
		errx(EXIT_PROFIL,
		     "cannot execute the pager: set PAGER to a command, or to cat for none");
	profil_output_close(out, request->output);
}

static int annotate(int argc, char **argv)
{
	struct annotate_options request;
	struct profile profile;
	struct subject subject;

	parse_annotate(argc, argv, &request);
	profil_output_check_input(request.output, request.input);
	read_profile(&profile, &request);
	find(&subject, &request, &profile);
	print(&request, &subject);
	profil_subject_free(&subject);
	profil_profile_free(&profile);
	return 0;
}

#define AT(member) offsetof(struct annotate_options, member)

static const struct option_row options[] = {
	{ 'e', "program", OPTION_STRING, AT(program), "PROGRAM",
	  "the program or library that wrote a gmon.out or mon.out, if it is not ./a.out" },
	OPTION_ROW_HELP,
	{ 'i', "input", OPTION_STRING, AT(input), "FILE",
	  "the recording, or a gmon.out or mon.out", .preset = DATA_NAME },
	{ 0, "object", OPTION_REGEX, AT(object), "RE",
	  "only functions of files whose path matches the extended regular expression RE",
	  .completion = COMPLETE_NOTHING },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, not to stdout" },
	{ 's', "instructions", OPTION_FLAG, AT(all), NULL,
	  "list all instructions of the function, too" },
	{ 0, "source", OPTION_STRING, AT(source), "DIR",
	  "look for source files in DIR first" },
	{ 0 }
};

const struct verb profil_verb_annotate = {
	.name = "annotate",
	.operands = "[FUNCTION]",
	.about =
		"profil annotate prints the source lines of FUNCTION with their shares of its\n"
		"samples, and the code that was inlined in each line. FUNCTION is a name or a\n"
		"part of one; without it, the function with the most samples is printed.\n",
	.example = "Example: profil annotate -s 'Matrix::mul'\n",
	.options = options,
	.main = annotate,
	.completion = COMPLETE_NOTHING,
};
