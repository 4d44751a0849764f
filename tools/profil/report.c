// SPDX-License-Identifier: GPL-2.0-only
/* `profil report`: print the profile in files */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/profile_rows.h"
#include "profile/data_file.h"
#include "read/input.h"
#include "report/data_report.h"
#include "report/gprof_report.h"
#include "report/kind.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/memory.h"
#include "verbs.h"

/* Default names of the files; a program has written one of the last two. */
static char **usual_files(bool has_program)
{
	static char *const names[] = { DATA_NAME, "gmon.out", "mon.out" };
	static char *files[2];

	for (size_t i = has_program; i < 3 && !*files; i++)
		if (!access(names[i], F_OK))
			files[0] = names[i];
	if (!*files)
		errx(EXIT_PROFIL,
		     "report: no profil.data, gmon.out or mon.out in this directory: name a file, as in profil report -i FILE");
	return files;
}

/* Name of a file with the content of @path, which is a pipe or -, or of @path */
static char *as_file(char *path)
{
	const char *name = profil_file_name(path);
	struct stat status;
	char copy[32];
	int fd;

	profil_file_name_check(path);
	if (!strcmp(path, "-")) {
		path = (char *)"/dev/stdin";
		profil_file_name_set(path, name);
	}
	if (stat(path, &status) || !S_ISFIFO(status.st_mode))
		return path;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(EXIT_PROFIL, "cannot read %s", name);
	snprintf(copy, sizeof(copy), "/proc/self/fd/%d",
		 profil_input_copy_pipe(fd, name));
	path = profil_copy_string(copy);
	profil_file_name_set(path, name);
	return path;
}

static void parse(int argc, char **argv, struct report_request *request)
{
	char **first = profil_grow(NULL, argc + 1, sizeof(*first));

	*request = (struct report_request){ .files = first };
	profil_option_parse(&profil_verb_report, argc, argv, request);
	if (!request->program && profil_kind_is_program(argv[optind]))
		request->program = argv[optind++];
	while (argv[optind])
		*request->files++ = argv[optind++];
	*request->files = NULL;
	request->files = *first ? first : usual_files(request->program);
	for (char **file = request->files; *file; file++)
		*file = as_file(*file);
}

static int report(int argc, char **argv)
{
	struct report_request request;

	parse(argc, argv, &request);
	profil_input_check(*request.files);
	if (profil_kind_is_data(*request.files)) {
		profil_data_report(&request);
		return 0;
	}
	if (!request.program)
		request.program = "./a.out";
	profil_gprof_report(&request);
	return 0;
}

#define AT(member) offsetof(struct report_request, member)

static const struct option_row options[] = {
	{ 'a', "all", OPTION_FLAG, AT(flat.all), NULL,
	  "list all rows, small ones as well", .group = "For a profil.data" },
	{ 'b', "by", OPTION_CHOICES, AT(by), "KIND",
	  "have a row for each of a kind, or of several kinds with commas between",
	  .choices = profil_row_words, .preset = "function" },
	{ 0, "function", OPTION_REGEX, AT(function), "RE",
	  "list only functions whose name matches the extended regular expression RE" },
	{ 0, "html", OPTION_FLAG, AT(html), NULL,
	  "print a page for a browser, which needs no other file" },
	{ 'j', "json", OPTION_FLAG, AT(json), NULL, "print JSON" },
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
