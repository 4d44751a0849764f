// SPDX-License-Identifier: GPL-2.0-only
/* `profil report`: print the profile in files that programs have written */
#include <err.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcs.h"
#include "datafile.h"
#include "driver.h"
#include "formats.h"
#include "functions.h"
#include "option.h"
#include "output.h"
#include "report.h"
#include "status.h"
#include "table.h"

/* What profil() of C libraries takes, for want of anything better */
#define USUAL_HZ 100

/**
 * struct request - what the command line asks for
 * @program: the program or library that the files are about
 * @output: file to print to, or NULL for stdout
 * @hz: samples a second, where no file tells; 0 if not given
 * @arcs: whether to list who called whom
 * @files: the files, ended by NULL
 */
struct request {
	const char *program;
	const char *output;
	unsigned int hz;
	bool arcs;
	char **files;
};

static unsigned int take_hz(const char *text)
{
	long hz = profil_option_hz(text);

	if (hz < 1 || hz > INT_MAX)
		errx(EXIT_PROFIL, "-F %s: give 1 to %d samples a second", text,
		     INT_MAX);
	return hz;
}

static void parse(int argc, char **argv, struct request *request)
{
	int option;

	*request = (struct request){ .program = "./a.out" };
	while ((option = profil_option_next(&profil_report_verb, argc, argv)) !=
	       -1) {
		if (option == 'c')
			request->arcs = true;
		else if (option == 'e')
			request->program = optarg;
		else if (option == 'F')
			request->hz = take_hz(optarg);
		else if (option == 'o')
			request->output = optarg;
	}
	request->files = argv + optind;
	if (!*request->files)
		errx(EXIT_PROFIL,
		     "report: name a file, as in profil report -e ./program gmon.out");
}

static void read_files(char **files, struct counts *counts)
{
	struct datafile file;

	for (; *files; files++) {
		profil_datafile_open(&file, *files);
		if (!profil_formats_read(&file, counts))
			errx(EXIT_PROFIL, "%s %s", file.path, file.wrong);
		profil_datafile_close(&file);
	}
}

/* Whether @request asks for nothing that the files cannot give */
static void check(const struct request *request, const struct counts *counts)
{
	bool is_mon = !strcmp(counts->kind, "mon.out");

	if (request->hz && !is_mon)
		errx(EXIT_PROFIL,
		     "-F is for a mon.out: a gmon.out tells its rate itself");
	if (request->arcs && is_mon)
		errx(EXIT_PROFIL,
		     "-c is for a gmon.out: a mon.out does not tell who called");
}

/* A mon.out comes from programs that were sampled at the tick. */
static bool assume_rate(const struct request *request, struct counts *counts)
{
	if (counts->rate || strcmp(counts->kind, "mon.out"))
		return false;
	counts->rate = request->hz;
	if (!counts->rate)
		counts->rate = profil_driver_hz();
	if (!counts->rate)
		counts->rate = USUAL_HZ;
	return !request->hz;
}

/* What the figures leave out */
static void say_gaps(const struct functions *functions,
		     const struct counts *counts)
{
	const struct function *outside = &functions->outside;

	if (outside->calls)
		warnx("calls of functions that %s does not have: %llu",
		      functions->path, (unsigned long long)outside->calls);
	if (counts->samples && outside->parts / COUNTS_PARTS == counts->samples)
		warnx("no sample lies in %s: name the right program with -e",
		      functions->path);
}

static int report(int argc, char **argv)
{
	struct counts counts = { 0 };
	struct functions functions;
	struct request request;
	bool assumed;
	FILE *out;

	parse(argc, argv, &request);
	read_files(request.files, &counts);
	check(&request, &counts);
	assumed = assume_rate(&request, &counts);
	profil_functions_open(&functions, request.program, counts.word);
	profil_functions_count(&functions, &counts);
	out = profil_output_open(request.output, stdout);
	profil_table(out, &functions, &counts, assumed);
	if (request.arcs)
		profil_arcs(out, &functions, &counts);
	profil_output_close(out, request.output);
	say_gaps(&functions, &counts);
	profil_functions_close(&functions);
	profil_counts_free(&counts);
	return 0;
}

static const struct option_row options[] = {
	{ 'c', "callers", NULL, "list who called whom how often, too", NULL },
	{ 'e', "program", "PROGRAM",
	  "the program or library that it is about, if not ./a.out", NULL },
	{ 'F', "freq", "HZ", "the rate of a mon.out, which does not tell it",
	  NULL },
	{ 'g', "call-graph", NULL, NULL,
	  "there are no call stacks; -c lists the callers that a gmon.out tells of" },
	OPTION_HELP,
	{ 'o', "output", "FILE", "print to FILE, not to stdout", NULL },
	{ 0 }
};

const struct verb profil_report_verb = {
	.name = "report",
	.usage = "[OPTION]... FILE...",
	.about =
		"profil report prints the profile in a gmon.out or mon.out, or the sum of\n"
		"several.\n",
	.options = options,
	.main = report,
};
