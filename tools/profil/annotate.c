// SPDX-License-Identifier: GPL-2.0-only
/* `profil annotate`: print the source lines or instructions of a function */
#include <signal.h>
#include <sys/wait.h>

#include "annotate/print.h"
#include "elf/confined.h"
#include "profile/data_file.h"
#include "read/files.h"
#include "util/output.h"
#include "verbs.h"

static const char *pager_command(void)
{
	const char *pager = getenv("PAGER");

	/* less(1) is not on every system. */
	if (!pager && access("/usr/bin/less", X_OK) &&
	    access("/bin/less", X_OK))
		return NULL;
	if (!pager)
		return "less -R";
	pager += strspn(pager, " \t");
	return *pager && strcmp(pager, "cat") ? pager : NULL;
}

/*
 * Let the user read the file @text in $PAGER or less(1); what the pager was not ready to
 * read is dropped. less(1) ends at once if the text fits on the screen, as under git(1).
 * The shell ends with status 126 or 127 if it cannot execute the pager.
 */
static void show(const char *command, const struct confined *text)
{
	FILE *pager;
	int status;

	setenv("LESS", "FRX", 0);
	pager = popen(command, "we");
	/* The user may leave the pager before it has read everything. */
	signal(SIGPIPE, SIG_IGN);
	/* Ctrl-C is for the pager, which would be left without its terminal. */
	signal(SIGINT, SIG_IGN);
	profil_confined_copy(text, pager ? pager : stdout);
	status = pager ? pclose(pager) : 0;
	if (WIFEXITED(status) &&
	    (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127))
		die_err("cannot execute the pager: set PAGER to a command, or to cat for none");
}

/*
 * Options and operands, of which all but @input, the recording, may be NULL. @all: show
 * all instructions
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
		die_err("annotate: name one function, in quotes if the name has spaces, as in profil annotate \"%s %s\"",
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
		die_err("%s has no samples: record a longer run, or with a higher -F",
			request->input);
}

static void find_function(struct annotated_function *annotated,
			  const struct annotate_options *request,
			  const struct profile *profile)
{
	if (profil_annotated_find(annotated, profile, request->function,
				  request->object))
		return;
	if (request->function)
		die_err("no function of %s has samples and a name with \"%s\": profil report -a lists the names",
			request->input, request->function);
	if (request->object)
		die_err("no function of %s has samples and an object that matches --object",
			request->input);
	die_err("no function of %s has samples", request->input);
}

/* The file for a pager is any: it is that of the child. */
static void print_function(const struct annotate_options *request,
			   const char *pager,
			   const struct annotated_function *annotated)
{
	struct annotated_page page = {
		.all = request->all,
		.key = "-s",
		.source = request->source,
		.annotated = annotated,
	};
	page.out = profil_output_open(pager ?: request->output, stdout);
	page.has_colours = profil_output_has_colours(pager ? stdout : page.out);
	profil_annotate_print(&page, request->input);
	profil_output_close(page.out, request->output);
}

static int annotate(int argc, char **argv)
{
	struct annotate_options request;
	struct profile profile;
	struct annotated_function annotated;
	struct confined child;
	const char *pager = NULL;

	parse_annotate(argc, argv, &request);
	profil_output_check_input(request.output, request.input);
	if ((!request.output || !strcmp(request.output, "-")) &&
	    isatty(STDOUT_FILENO))
		pager = pager_command();
	if (!profil_confine(&child, request.output, 0)) {
		if (pager && !child.status)
			show(pager, &child);
		profil_confined_exit(&child);
	}
	read_profile(&profile, &request);
	find_function(&annotated, &request, &profile);
	print_function(&request, pager, &annotated);
	profil_annotated_free(&annotated);
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
