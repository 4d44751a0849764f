// SPDX-License-Identifier: GPL-2.0-only
/* `profil export`: write a recording in the format of another tool */
#include <err.h>
#include <regex.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/format.h"
#include "export/name.h"
#include "profile/data_file.h"
#include "read/files.h"
#include "util/exit_status.h"
#include "util/memory.h"
#include "util/output.h"
#include "verbs.h"

/**
 * struct export_options - options
 * @files: the recordings
 * @program: program that wrote a gmon.out or mon.out, or NULL
 * @format: the format, of enum export_kind
 * @output: file to write to, or NULL for the usual one of the format
 * @object: pattern of the objects, or NULL for all
 */
struct export_options {
	struct option_list files;
	const char *program;
	int format;
	const char *output;
	regex_t *object;
};

/* Command that reads the file, to be freed; an option in front ends with =. */
static char *next_command(const struct export_format *format, const char *path)
{
	bool is_option = format->next[strlen(format->next) - 1] == '=';
	size_t size;
	char *text;
	FILE *out = profil_memory_stream(&text, &size);

	fprintf(out, "%s%s%s", format->next, is_option ? "" : " ", path);
	fclose(out);
	return text;
}

/* Report what was written, and the command that reads it. */
static void report(const struct profile *profile,
		   const struct export_format *format, const char *path)
{
	unsigned long long all = profil_profile_total(profile);
	unsigned long long written =
		format->samples ? format->samples(profile) : all;
	char *next = next_command(format, path);

	if (written < all)
		warnx("%llu of %llu samples in %s; next: %s", written, all,
		      path, next);
	else
		warnx("%llu sample%s in %s; next: %s", written,
		      written == 1 ? "" : "s", path, next);
	free(next);
}

static void check_error(int kind, enum export_error error)
{
	if (error)
		errx(EXIT_PROFIL, "-f %s: %s", profil_export_names[kind],
		     profil_export_error_text(error));
}

/* A file of the same name is not overwritten if the format is impossible. */
static void write_profile(const struct profile *profile, int kind,
			  const char *path)
{
	const struct export_format *format = &profil_export_formats[kind];
	FILE *out;

	if (format->check)
		check_error(kind, format->check(profile));
	out = profil_output_open(path, NULL);
	check_error(kind, format->write(profile, out));
	profil_output_close(out, path);
	if (out != stdout)
		report(profile, format, path);
}

/* Keep the samples that were asked for. */
static void select_samples(struct profile *profile, const regex_t *object)
{
	if (!profil_profile_total(profile))
		errx(EXIT_PROFIL, "export: the recording has no samples");
	if (!object)
		return;
	profil_export_select(profile, object);
	if (!profil_profile_total(profile))
		errx(EXIT_PROFIL,
		     "--object: no sample is in a file whose path matches");
}

static struct export_options parse_export(int argc, char **argv)
{
	struct export_options request = { 0 };

	profil_option_parse(&profil_verb_export, argc, argv, &request);
	if (argv[optind])
		errx(EXIT_PROFIL,
		     "export: name a recording with -i, as in -i %s",
		     argv[optind]);
	if (!request.files.nr)
		profil_option_list_add(&request.files, DATA_NAME);
	return request;
}

static int export(int argc, char **argv)
{
	struct export_options request = parse_export(argc, argv);
	struct files files = {
		.paths = request.files.items,
		.program = request.program,
		.how = "with -e",
	};
	struct profile profile;

	if (!request.output)
		request.output = profil_export_formats[request.format].file;
	for (char **file = request.files.items; *file; file++)
		profil_output_check_input(request.output, *file);
	profil_files_read(&files, &profile);
	select_samples(&profile, request.object);
	write_profile(&profile, request.format, request.output);
	profil_profile_free(&profile);
	free(request.files.items);
	return 0;
}

#define AT(member) offsetof(struct export_options, member)

static const struct option_row options[] = {
	{ 'e', "program", OPTION_STRING, AT(program), "PROGRAM",
	  "the program or library that wrote a gmon.out or mon.out, if it is not ./a.out" },
	{ 'f', "format", OPTION_CHOICE, AT(format), "FORMAT", "the format",
	  .choices = profil_export_names, .preset = "pprof" },
	OPTION_ROW_HELP,
	{ 'i', "input", OPTION_LIST, AT(files), "FILE",
	  "a recording, gmon.out or mon.out; several are added up",
	  .preset = DATA_NAME },
	{ 0, "object", OPTION_REGEX, AT(object), "RE",
	  "only samples in files whose path matches the extended regular expression RE" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "write to FILE, or to stdout if FILE is -; usual is a name for each format" },
	{ 0 }
};

const struct verb profil_verb_export = {
	.name = "export",
	.operands = "",
	.about =
		"profil export writes the samples of profil.data in a format that another tool\n"
		"reads.\n",
	.example =
		"Example: profil export -f pprof; go tool pprof -top profil.pb.gz\n",
	.options = options,
	.main = export,
};
