// SPDX-License-Identifier: GPL-2.0-only
/* The profile in files of the kind profil.data */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/heading.h"
#include "print/hints.h"
#include "print/json.h"
#include "print/notes.h"
#include "print/profile_rows.h"
#include "print/total.h"
#include "profile/data_file.h"
#include "profile/sum.h"
#include "report/data_report.h"
#include "util/exit_status.h"
#include "util/output.h"
#include "util/text.h"

static void refuse(bool wrong, const char *sentence)
{
	if (wrong)
		errx(EXIT_PROFIL, "%s", sentence);
}

static void check(const struct report_request *request)
{
	refuse(request->program,
	       "-e is for a gmon.out or mon.out: a profil.data has the names of its functions");
	refuse(request->rate.is_set,
	       "-F is for a mon.out: a profil.data contains its rate");
	refuse(request->arcs,
	       "-c is for a gmon.out: a profil.data has no callers");
	for (char **file = request->files; *file; file++)
		profil_output_check_input(request->output, *file);
}

/* Other kinds of files, such as devices, may have no end. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		err(EXIT_PROFIL, "cannot read %s", path);
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
		errx(EXIT_PROFIL,
		     "%s is not a file: name a profil.data, gmon.out or mon.out",
		     path);
	return fd;
}

static void read_file(const char *path, struct profile *profile)
{
	char text[DATA_ERROR_TEXT];
	int fd = open_file(path);

	profil_profile_init(profile);
	if (profil_data_read(profile, fd, text))
		errx(EXIT_PROFIL, "%s: %s", path, text);
	close(fd);
}

static void add_file(const char *path, struct profile *sum)
{
	struct profile profile;

	read_file(path, &profile);
	switch (profil_profile_add(sum, &profile)) {
	case SUM_OK:
		break;
	case SUM_PERIOD:
		errx(EXIT_PROFIL,
		     "%s: cannot be added up: a sample stands for %.4g ms, and for %.4g ms before: record with the same -F",
		     path, profile.head.period_ns / 1e6,
		     sum->head.period_ns / 1e6);
	case SUM_MANY:
		errx(EXIT_PROFIL,
		     "%s: cannot be added up: too many samples to add up",
		     path);
	}
	profil_profile_free(&profile);
}

static void read_files(char **files, struct profile *profile)
{
	read_file(*files, profile);
	while (*++files)
		add_file(*files, profile);
}

static void print_text(FILE *out, const struct report_request *request,
		       const struct profile *profile, const struct rows *rows)
{
	if (!request->quiet) {
		profil_heading_print(out, profile);
		profil_heading_print_origin(out, profile);
	}
	profil_flat_print(out, &request->flat, rows);
	profil_total_print_profile(out, profile);
	profil_notes_print(out, profile);
	if (!request->quiet)
		profil_hints_print(out, profile);
}

static void print(FILE *out, const struct report_request *request,
		  const struct profile *profile)
{
	struct row_choice choice = {
		.nr_by = request->by.nr,
		.object = request->object,
		.function = request->function,
		.printable = request->json ? profil_text_utf8 :
					     profil_text_printable,
	};
	struct rows rows;

	for (int i = 0; i < choice.nr_by; i++)
		choice.by[i] = request->by.at[i];
	profil_profile_rows_read(&rows, profile, &choice);
	if (request->json)
		profil_json_print(out, profile, &rows, request->flat.limit);
	else
		print_text(out, request, profile, &rows);
	profil_rows_free(&rows);
}

void profil_data_report(const struct report_request *request)
{
	struct profile profile;
	FILE *out;

	check(request);
	read_files(request->files, &profile);
	out = profil_output_open(request->output, stdout);
	print(out, request, &profile);
	profil_output_close(out, request->output);
	profil_profile_free(&profile);
}
