// SPDX-License-Identifier: GPL-2.0-only
/* The profile in files of the kind profil.data */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "html/print.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/json.h"
#include "print/notes.h"
#include "print/profile_rows.h"
#include "print/total.h"
#include "profile/data_files.h"
#include "report/data_report.h"
#include "resolve/resolve.h"
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
	refuse(request->html && (request->by.nr || request->object ||
				 request->function || request->json),
	       "--html has all functions, and filters them in the browser: leave --by, --function, --object and --json out");
	refuse(request->source && !request->html,
	       "--source is for --html: no other report shows source files");
	for (char **file = request->files; *file; file++)
		profil_output_check_input(request->output, *file);
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

/* A page is for a browser, not for a terminal. */
static void print_page(FILE *out, struct profile *profile,
		       const char *directory)
{
	refuse(isatty(fileno(out)),
	       "--html prints a page: name a file, as in profil report --html -o profil.html");
	profil_profile_sort(profile);
	profil_html_print(out, profile, directory);
}

void profil_data_report(const struct report_request *request)
{
	struct profile profile;
	FILE *out;

	check(request);
	profil_data_files_read(request->files, &profile);
	profil_resolve_again(&profile);
	out = profil_output_open(request->output, stdout);
	if (request->html)
		print_page(out, &profile, request->source);
	else
		print(out, request, &profile);
	profil_output_close(out, request->output);
	profil_profile_free(&profile);
}
