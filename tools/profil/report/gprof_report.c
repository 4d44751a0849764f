// SPDX-License-Identifier: GPL-2.0-only
/* The profile in a gmon.out or mon.out */
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/attribute.h"
#include "print/calls.h"
#include "print/report_rows.h"
#include "print/total.h"
#include "read/detect.h"
#include "read/input.h"
#include "read/read_error.h"
#include "record/device.h"
#include "report/gprof_report.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/output.h"

/* Rate of profil() in C libraries */
#define DEFAULT_HZ 100

/* Upper limit of bytes before the call of mcount() in a function */
#define PROLOGUE 64

static const char stale[] =
	"%s is newer than %s: it may not be the program that wrote it";

static const char astray[] =
	"%s has no functions at the addresses of most calls: name the right program with -e";

static void check_rate(const struct option_rate *rate)
{
	if (rate->is_set && (rate->hz < 1 || rate->hz > INT_MAX))
		errx(EXIT_PROFIL, "-F %ld: give 1 to %d samples a second",
		     rate->hz, INT_MAX);
}

/* Options for a profil.data */
static void check_options(const struct report_request *request)
{
	const struct {
		bool is_given;
		const char *name;
	} options[] = {
		{ request->flat.all, "-a" },
		{ request->flat.limit, "--limit" },
		{ request->flat.samples, "-n" },
		{ request->by.nr, "--by" },
		{ request->object, "--object" },
		{ request->function, "--function" },
		{ request->json, "--json" },
		{ request->html, "--html" },
		{ request->source, "--source" },
		{ request->quiet, "-q" },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].is_given)
			errx(EXIT_PROFIL,
			     "%s is for a profil.data, which profil record writes",
			     options[i].name);
}

/* The output must not overwrite an input. */
static void check_output(const struct report_request *request)
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
		errx(EXIT_PROFIL, "%s: %s", profil_file_name(path), text);
	}
	profil_input_close(&input);
}

static void read_files(char **files, struct gprof_data *data)
{
	for (; *files; files++)
		read_file(*files, data);
}

/* Some options need a certain format. */
static void check(const struct report_request *request,
		  const struct gprof_data *data)
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
static bool assume_rate(const struct report_request *request,
			struct gprof_data *data)
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
static void warn_newer_program(const struct report_request *request)
{
	struct stat program, written;

	if (stat(request->program, &program))
		return;
	for (char **file = request->files; *file; file++)
		if (!stat(*file, &written) && S_ISREG(written.st_mode) &&
		    is_newer(&program, &written))
			warnx(stale, request->program, profil_file_name(*file));
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

void profil_gprof_report(const struct report_request *request)
{
	struct gprof_data data = { 0 };
	struct attribution attribution;
	bool assumed;
	FILE *out;

	check_rate(&request->rate);
	check_options(request);
	check_output(request);
	read_files(request->files, &data);
	check(request, &data);
	assumed = assume_rate(request, &data);
	profil_attribute_open(&attribution, request->program, data.word);
	profil_attribute_count(&attribution, &data);
	out = profil_output_open(request->output, stdout);
	print_flat(out, &attribution, &data, assumed);
	if (request->arcs)
		profil_calls_print(out, &attribution, &data);
	profil_output_close(out, request->output);
	warn_newer_program(request);
	warn_incomplete(&attribution, &data);
	profil_attribute_close(&attribution);
	profil_gprof_data_free(&data);
}
