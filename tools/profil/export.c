// SPDX-License-Identifier: GPL-2.0-only
/* `profil export`: write a recording in the format of another tool */
#include <regex.h>

#include "elf/confined.h"
#include "export/format.h"
#include "profile/data_file.h"
#include "read/files.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

/*
 * Options: @program and @object may be NULL, @format is an index of the names, and
 * @output is NULL for the usual file of the format
 */
struct export_options {
	struct option_list files;
	const char *program;
	int format;
	const char *output;
	regex_t *object;
	bool kernel;
};

#define EXPORT_NAME(name) #name,
#define FORMAT(name) &profil_format_##name,

static const char *const names[] = { EXPORT_FORMATS(EXPORT_NAME) NULL };

static const struct export_format *const formats[] = { EXPORT_FORMATS(FORMAT) };

/* Report that @written samples were written, and the command that reads them. */
static void report(const struct export_format *format, uint64_t written,
		   uint64_t all, const char *path)
{
	if (written < all)
		warnx("%" PRIu64 " of %" PRIu64 " samples in %s; next: %s%s",
		      written, all, path, format->next, path);
	else
		warnx("%" PRIu64 " sample%s in %s; next: %s%s", written,
		      plural(written), path, format->next, path);
}

/* A file of the same name is not overwritten if the format is impossible. */
static void write_profile(const struct profile *profile, int kind,
			  const char *path)
{
	const struct export_format *format = formats[kind];
	uint64_t all = profil_profile_total(profile), written = all;
	const char *reason = NULL;
	FILE *out;

	if (format->check)
		reason = format->check(profile, &written);
	if (reason)
		die_err("-f %s: %s", names[kind], reason);
	out = profil_output_open(path, NULL);
	format->write(profile, out);
	profil_output_close(out, path);
	if (out != stdout)
		report(format, written, all, path);
}

/* Paths match as they are, names in UTF-8. */
static bool object_matches(const struct profile *profile, uint32_t object,
			   const regex_t *regex)
{
	const struct profile_object *it = &profile->objects[object];
	char *name;
	bool result;

	if (it->kind == PROFILE_FILE)
		return profil_text_matches(regex, it->path);
	name = profil_export_object_name(profile, object);
	result = profil_text_matches(regex, name);
	free(name);
	return result;
}

/*
 * Remove the samples, also those of stacks, whose object does not match @regex: by path of
 * the file, or by EXPORT_OUTSIDE, EXPORT_LOST and [jit: PROGRAM].
 */
static void keep_matching(struct profile *profile, const regex_t *regex)
{
	bool *are_kept = profil_zeros(profile->nr_objects + 1ULL, 1);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_objects; i++)
		are_kept[i] = object_matches(profile, i, regex);
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		struct profile_sample sample = profile->samples[i];

		if (are_kept[profile_place_of(profile, &sample)->object])
			profile->samples[nr++] = sample;
	}
	profile->nr_samples = nr;
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		struct profile_stack *stack = &profile->stacks[i];

		if (are_kept[profile->places[stack->place].object])
			continue;
		stack->user = 0;
		stack->kernel = 0;
	}
	free(are_kept);
	if (!profil_text_matches(regex, EXPORT_OUTSIDE))
		profile->head.outside = 0;
	if (!profil_text_matches(regex, EXPORT_LOST))
		profile->head.lost = 0;
}

/* Keep the samples that were asked for. */
static void select_samples(struct profile *profile, const regex_t *object)
{
	refuse(!profil_profile_total(profile),
	       "export: the recording has no samples");
	if (!object)
		return;
	keep_matching(profile, object);
	refuse(!profil_profile_total(profile),
	       "--object: no sample is in a file whose path matches");
}

static struct export_options parse_export(int argc, char **argv)
{
	struct export_options request = { 0 };

	profil_option_parse(&profil_verb_export, argc, argv, &request);
	if (argv[optind])
		die_err("export: name a recording with -i, as in -i %s",
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
		.kernel = request.kernel,
	};
	struct confined child;
	struct profile profile;

	if (!request.output)
		request.output = formats[request.format]->file;
	for (char **file = request.files.items; *file; file++)
		profil_output_check_input(request.output, *file);
	if (!profil_confine(&child, request.output, 0))
		profil_confined_exit(&child);
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
	  .choices = names, .preset = "pprof" },
	OPTION_ROW_HELP,
	{ 'i', "input", OPTION_LIST, AT(files), "FILE",
	  "a recording, gmon.out or mon.out; several are added up",
	  .preset = DATA_NAME },
	{ 'k', "kernel", OPTION_FLAG, AT(kernel), NULL,
	  "count kernel time in the functions of the kernel (recordings of root)" },
	{ 0, "object", OPTION_REGEX, AT(object), "RE",
	  "only samples in files whose path matches the extended regular expression RE" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "write to FILE, or to stdout if FILE is -",
	  .preset = "named after the format, as profil.pb.gz" },
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
