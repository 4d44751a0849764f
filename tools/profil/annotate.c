// SPDX-License-Identifier: GPL-2.0-only
/* `profil annotate`: print the source lines or instructions of a function */
#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "annotate/pager.h"
#include "annotate/print.h"
#include "profile/data_file.h"
#include "profile/data_files.h"
#include "resolve/resolve.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/output.h"
#include "verbs.h"

/**
 * struct request - options and operands
 * @input: the recording
 * @output: file to print to, or NULL for stdout
 * @source: directory with the source files, or NULL
 * @object: pattern for paths of objects, or NULL
 * @all: show all instructions
 * @function: name of the function, or NULL for the hottest
 */
struct request {
	const char *input;
	const char *output;
	const char *source;
	regex_t *object;
	bool all;
	const char *function;
};

static void parse(int argc, char **argv, struct request *request)
{
	*request = (struct request){ .input = DATA_NAME };
	profil_option_parse(&profil_verb_annotate, argc, argv, request);
	request->function = argv[optind];
	if (argv[optind] && argv[optind + 1])
		errx(EXIT_PROFIL,
		     "annotate: name one function, in quotes if the name has spaces, as in profil annotate \"%s %s\"",
		     argv[optind], argv[optind + 1]);
}

static void read_profile(struct profile *profile, const char *path)
{
	char *files[2] = { (char *)path, NULL };

	profil_data_files_read(files, profile);
	profil_resolve_again(profile);
	if (!profil_profile_total(profile))
		errx(EXIT_PROFIL,
		     "%s has no samples: record a longer run, or with a higher -F",
		     profil_file_name(path));
}

static void find(struct subject *subject, const struct request *request,
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

static void print(const struct request *request, const struct subject *subject)
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
	profil_pager_begin(&pager, out);
	page.out = pager.out;
	profil_annotate_print(&page, request->input);
	if (!profil_pager_end(&pager))
		errx(EXIT_PROFIL,
		     "cannot execute the pager: set PAGER to a command, or to cat for none");
	profil_output_close(out, request->output);
}

static int annotate(int argc, char **argv)
{
	struct request request;
	struct profile profile;
	struct subject subject;

	parse(argc, argv, &request);
	profil_output_check_input(request.output, request.input);
	read_profile(&profile, request.input);
	request.input = profil_file_name(request.input);
	find(&subject, &request, &profile);
	print(&request, &subject);
	profil_subject_free(&subject);
	profil_profile_free(&profile);
	return 0;
}

#define AT(member) offsetof(struct request, member)

static const struct option_row options[] = {
	OPTION_ROW_HELP,
	{ 'i', "input", OPTION_STRING, AT(input), "FILE", "the recording",
	  .preset = DATA_NAME },
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
