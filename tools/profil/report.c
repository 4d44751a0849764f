// SPDX-License-Identifier: GPL-2.0-only
/* `profil report`: print the profile in files that programs have written */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/attribute.h"
#include "print/calls.h"
#include "print/flat.h"
#include "print/report_rows.h"
#include "print/total.h"
#include "read/detect.h"
#include "read/input.h"
#include "read/read_error.h"
#include "record/device.h"
#include "util/exit_status.h"
#include "util/memory.h"
#include "util/output.h"
#include "verbs.h"

/* Rate of profil() in C libraries */
#define DEFAULT_HZ 100

/* Upper limit of bytes before the call of mcount() in a function */
#define PROLOGUE 64

static const char stale[] =
	"%s is newer than %s: it may not be the program that wrote it";

static const char astray[] =
	"%s has no functions at the addresses of most calls: name the right program with -e";

/**
 * struct request - options and operands
 * @program: program or library that wrote the files
 * @output: file to print to, or NULL for stdout
 * @rate: samples a second of a mon.out
 * @arcs: list callers, too
 * @files: the files, ended by NULL; the end of the list while it is made
 */
struct request {
	const char *program;
	const char *output;
	struct option_rate rate;
	bool arcs;
	char **files;
};

static void check_rate(const struct option_rate *rate)
{
	if (rate->is_set && (rate->hz < 1 || rate->hz > INT_MAX))
		errx(EXIT_PROFIL, "-F %ld: give 1 to %d samples a second",
		     rate->hz, INT_MAX);
}

/* Default names of the files */
static char **usual_files(void)
{
	static char *const names[] = { "gmon.out", "mon.out" };
	static char *files[2];

	for (int i = 0; i < 2 && !*files; i++)
		if (!access(names[i], F_OK))
			files[0] = names[i];
	if (!*files)
		errx(EXIT_PROFIL,
		     "report: no gmon.out or mon.out in this directory: name a file, as in profil report ./program gmon.out");
	return files;
}

/*
 * The first operand may be the program, as for gprof(1). A FIFO is not opened:
 * closing it would end the process that writes to it.
 */
static bool is_program(const char *path)
{
	char mark[SELFMAG] = "";
	struct stat status;
	bool is;
	int fd;

	if (!path || stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	is = pread(fd, mark, sizeof(mark), 0) == sizeof(mark) &&
	     !memcmp(mark, ELFMAG, SELFMAG);
	close(fd);
	return is;
}

static void parse(int argc, char **argv, struct request *request)
{
	char **first = profil_grow(NULL, argc + 1, sizeof(*first));

	*request = (struct request){ .files = first };
	profil_option_parse(&profil_verb_report, argc, argv, request);
	check_rate(&request->rate);
	if (!request->program && is_program(argv[optind]))
		request->program = argv[optind++];
	while (argv[optind])
		*request->files++ = argv[optind++];
	*request->files = NULL;
	request->files = *first ? first : usual_files();
	if (!request->program)
		request->program = "./a.out";
}

/* The output must not overwrite an input. */
static void check_output(const struct request *request)
{
	profil_output_check_input(request->output, request->program);
	for (char **file = request->files; *file; file++)
		profil_output_check_input(request->output, *file);
}

static void read_file(const char *path, struct gprof_data *data)
{
	char text[READ_ERROR_TEXT];
	enum read_error wrong;
	struct input input;

	profil_input_open(&input, path);
	wrong = profil_detect_read(&input, data);
	if (wrong) {
		profil_read_error_text(text, wrong, &input.details);
		errx(EXIT_PROFIL, "%s: %s", path, text);
	}
	profil_input_close(&input);
}

static void read_files(char **files, struct gprof_data *data)
{
	for (; *files; files++)
		read_file(*files, data);
}

/* Some options need a certain format. */
static void check(const struct request *request, const struct gprof_data *data)
{
	bool is_mon = !strcmp(data->kind, "mon.out");

	if (request->rate.is_set && !is_mon)
		errx(EXIT_PROFIL,
		     "-F is for a mon.out: a gmon.out contains its rate");
	if (request->arcs && is_mon)
		errx(EXIT_PROFIL,
		     "-c is for a gmon.out: a mon.out has no callers");
}

/* A mon.out is usually sampled at the tick. True if the rate is assumed. */
static bool assume_rate(const struct request *request, struct gprof_data *data)
{
	if (data->rate || strcmp(data->kind, "mon.out"))
		return false;
	data->rate = request->rate.hz;
	if (!data->rate)
		data->rate = profil_device_tick_hz();
	if (!data->rate)
		data->rate = DEFAULT_HZ;
	return !request->rate.is_set;
}

static bool is_newer(const struct stat *one, const struct stat *other)
{
	const struct timespec *a = &one->st_mtim, *b = &other->st_mtim;

	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec :
					a->tv_nsec > b->tv_nsec;
}

/* A program that was linked after the file was written did not write it. */
static void warn_newer_program(const struct request *request)
{
	struct stat program, written;

	if (stat(request->program, &program))
		return;
	for (char **file = request->files; *file; file++)
		if (!stat(*file, &written) && S_ISREG(written.st_mode) &&
		    is_newer(&program, &written))
			warnx(stale, request->program, *file);
}

/*
 * mcount() is called in the first instructions of a function: if most calls have
 * other addresses, the functions are those of another program.
 */
static bool is_wrong_program(struct attribution *attribution,
			     const struct gprof_data *data)
{
	uint64_t wrong = 0;

	for (size_t i = 0; i < data->nr_arcs; i++)
		if (profil_attribute_offset(attribution, data->arcs[i].self) >
		    PROLOGUE)
			wrong++;
	return data->nr_arcs && wrong > data->nr_arcs / 2;
}

/* Warn of samples and calls outside of the program. */
static void warn_incomplete(struct attribution *attribution,
			    const struct gprof_data *data)
{
	const struct function *outside = &attribution->outside;

	if (outside->calls)
		warnx("%llu calls of functions that are not in %s",
		      (unsigned long long)outside->calls, attribution->path);
	if (data->samples && outside->parts / SAMPLE_PARTS == data->samples)
		warnx("no sample is in %s: name the right program with -e",
		      attribution->path);
	else if (is_wrong_program(attribution, data))
		warnx(astray, attribution->path);
}

static void print_flat(FILE *out, const struct attribution *attribution,
		       const struct gprof_data *data, bool assumed)
{
	static const struct flat flat = { .layout = FLAT_REPORT, .all = true };
	struct rows rows;

	profil_report_rows_read(&rows, attribution, data);
	profil_flat_print(out, &flat, &rows);
	profil_total_print_report(out, attribution, data, assumed);
	profil_rows_free(&rows);
}

static int report(int argc, char **argv)
{
	struct gprof_data data = { 0 };
	struct attribution attribution;
	struct request request;
	bool assumed;
	FILE *out;

	parse(argc, argv, &request);
	check_output(&request);
	read_files(request.files, &data);
	check(&request, &data);
	assumed = assume_rate(&request, &data);
	profil_attribute_open(&attribution, request.program, data.word);
	profil_attribute_count(&attribution, &data);
	out = profil_output_open(request.output, stdout);
	print_flat(out, &attribution, &data, assumed);
	if (request.arcs)
		profil_calls_print(out, &attribution, &data);
	profil_output_close(out, request.output);
	warn_newer_program(&request);
	warn_incomplete(&attribution, &data);
	profil_attribute_close(&attribution);
	profil_gprof_data_free(&data);
	return 0;
}

#define AT(member) offsetof(struct request, member)

static const struct option_row options[] = {
	{ 'c', "callers", OPTION_FLAG, AT(arcs), NULL,
	  "list the callers of each function, too" },
	{ 'e', "program", OPTION_STRING, AT(program), "PROGRAM",
	  "the program or library that wrote DATA, if it is\n"
	  "neither the first operand nor ./a.out" },
	{ 'F', "freq", OPTION_RATE, AT(rate), "HZ",
	  "the rate of a mon.out, which does not contain it" },
	{ 'g', "call-graph", OPTION_REFUSED, 0, NULL,
	  "there are no call stacks; -c lists the callers in a gmon.out" },
	OPTION_ROW_HELP,
	{ 'i', "input", OPTION_LIST, AT(files), "DATA", "one more DATA" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, not to stdout" },
	{ 0 }
};

const struct verb profil_verb_report = {
	.name = "report",
	.operands = "[PROGRAM] [DATA]...",
	.about =
		"profil report prints the profile in a gmon.out or mon.out that PROGRAM, or\n"
		"./a.out, has written, or the sum of several. Without DATA it is ./gmon.out,\n"
		"or else ./mon.out.\n",
	.example = "Example: profil report ./program gmon.out\n",
	.options = options,
	.main = report,
};
