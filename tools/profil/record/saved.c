// SPDX-License-Identifier: GPL-2.0-only
/* Where a profile was saved, and the command that shows more of what it is about */
#include <sys/resource.h>

#include "print/heading.h"
#include "print/notes.h"
#include "profile/data_file.h"
#include "profile/rows.h"
#include "record/recorder.h"
#include "record/saved.h"
#include "util/text.h"

/* Percent of all samples: functions in user mode, programs and objects with less do not count. */
#define LEAST 1

/* The instruction, or a function that was inlined there, is in a source file of the user. */
static bool has_own_line(const struct profile *profile,
			 const struct profile_place *place)
{
	const struct profile_frame *frame = profile_frames_of(profile, place);

	for (uint32_t i = 0; i < place->nr_frames; i++)
		if (*frame[i].file && !profil_path_is_of_system(frame[i].file))
			return true;
	return false;
}

/* The function of @row, or NULL */
static const struct profile_function *function_of(const struct profile *profile,
						  const struct row *row)
{
	uint32_t function = PROFILE_NONE;

	if (row->hottest)
		function = profile_place_of(profile, row->hottest)->function;
	return function == PROFILE_NONE ? NULL : &profile->functions[function];
}

/* The function of @row is code of the user with source lines. */
static bool is_own(const struct profile *profile, const struct row *row)
{
	const struct profile_place *place;
	const char *path;

	if (!function_of(profile, row))
		return false;
	place = profile_place_of(profile, row->hottest);
	path = profile->objects[place->object].path;
	return !profil_path_is_of_system(path) && has_own_line(profile, place);
}

/* The function of the user with the most samples in user mode, or NULL */
static const struct profile_function *
own_function(const struct profile *profile, const struct rows *rows)
{
	double most = rows->total * LEAST / 100;
	const struct profile_function *function = NULL;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->array[i];
		double user = row->samples - row->kernel;

		if (user <= most || !is_own(profile, row))
			continue;
		most = user;
		function = function_of(profile, row);
	}
	return function;
}

/* Rows of functions of the kernel show already where it is. */
static bool is_mostly_kernel(const struct rows *rows)
{
	double kernel = 0;

	for (size_t i = 0; i < rows->nr; i++)
		if (!rows->array[i].is_kernel)
			kernel += rows->array[i].kernel;
	return kernel > rows->total / 2;
}

/* @text as one word of a shell */
static void print_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", out);
		fputc(*text, out);
	}
	fputc('\'', out);
}

static void print_annotate(FILE *out, const struct profile_function *function)
{
	char *name = profil_text_printable(function->name);

	fputs("; next: profil annotate ", out);
	print_quoted(out, name);
	free(name);
}

/* A function with callers and callees, which [plt] is not: it is in place of many */
static bool is_called(const struct profile *profile, const struct row *row)
{
	const struct profile_function *function = function_of(profile, row);

	return function && *function->name != '[';
}

/* The hottest function, of a library or a program of the system, has callers and callees. */
static bool print_callers(FILE *out, const struct profile *profile,
			  const struct rows *rows)
{
	const struct row *row = rows->array;
	const struct row *end = row + rows->nr;

	while (row < end && !is_called(profile, row))
		row++;
	if (!profile->nr_stacks || row == end)
		return false;
	fputs("; next: profil report -c ", out);
	print_quoted(out, row->names[rows->nr_names - 1]);
	return true;
}

/* Root records the functions of the kernel, unless it is locked down. */
static bool print_kernel(FILE *out, const struct profile *profile)
{
	if (profile->nr_kernel)
		fputs("; next: profil report -k", out);
	else if (geteuid())
		fputs("; next: sudo profil record -a, then sudo profil report -k",
		      out);
	return profile->nr_kernel || geteuid();
}

/* No row by @key has nearly all samples. */
static bool is_divided(const struct profile *profile, enum row_key key)
{
	struct row_choice choice = {
		.by = { key },
		.nr_by = 1,
		.printable = profil_text_printable,
	};
	struct rows rows;
	bool is_divided;

	profil_rows_read(&rows, profile, &choice);
	is_divided = rows.nr &&
		     rows.array[0].samples * 100 < rows.total * (100 - LEAST);
	profil_rows_free(&rows);
	return is_divided;
}

/*
 * Print the next command behind a semicolon, if there is one that helps: one for the
 * kernel, for the hottest function of the user's own code, or for all programs or
 * objects. @rows are the functions of @profile.
 */
static void print_next(FILE *out, const struct profile *profile,
		       const struct rows *rows)
{
	const struct profile_function *function = own_function(profile, rows);

	if (is_mostly_kernel(rows) && print_kernel(out, profile))
		return;
	if (function)
		print_annotate(out, function);
	else if (print_callers(out, profile, rows))
		return;
	else if (is_divided(profile, ROW_PROGRAM))
		fputs("; next: profil report --by program", out);
	else if (is_divided(profile, ROW_OBJECT))
		fputs("; next: profil report --by object", out);
}

/* Where a profile was saved */

static unsigned long long kilobytes(const struct save *save)
{
	return (save->size + 999) / 1000;
}

void profil_saved_print(FILE *out, const struct recorder *recorder,
			const struct profile *profile, const struct rows *rows)
{
	const struct save *save = &recorder->save;

	if (!recorder->is_saved || save->error)
		return;
	fprintf(out, "saved in %s (%llu KB)", save->path, kilobytes(save));
	print_next(out, profile, rows);
	fputc('\n', out);
}

/* A limit of the caller holds in every directory. */
static bool is_limited(int error)
{
	struct rlimit limit;

	return error == EFBIG && !getrlimit(RLIMIT_FSIZE, &limit) &&
	       limit.rlim_cur != RLIM_INFINITY;
}

bool profil_saved_warn(const struct recorder *recorder)
{
	const struct save *save = &recorder->save;
	int error = recorder->refused ? recorder->refused : save->error;

	if (!error)
		return false;
	if (recorder->is_saved)
		warnx("cannot write %s (%s): the profile is in %s", save->path,
		      strerror(error), save->elsewhere);
	else if (is_limited(error))
		warnx("cannot write %s (%s): the profile is not saved, as ulimit -f is too low",
		      save->path, strerror(error));
	else
		warnx("cannot write %s (%s): the profile is not saved",
		      save->path, strerror(error));
	return true;
}

static void print_counts(const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t samples = profil_profile_total(profile);
	uint64_t processes = head->taken.processes;
	unsigned long long programs = profil_heading_programs(profile);

	fprintf(stderr,
		"profil: %.2f s of CPU in %" PRIu64
		" process%s of %llu program%s, %" PRIu64 " sample%s\n",
		head->cpu_ns / 1e9, processes, processes == 1 ? "" : "es",
		programs, plural(programs), samples, plural(samples));
}

/* The master of a server's workers waits for them. */
static void print_children(const struct recorder *recorder,
			   const struct profile *profile)
{
	const struct option_numbers *pids = &recorder->request->pids;

	if (profile->head.samples || !recorder->targets.have_children)
		return;
	fprintf(stderr,
		"process %ld has children, which --children records, too\n",
		pids->items[0]);
}

static void print_file(const struct save *save)
{
	/* A pipe or a device has nothing to report. */
	if (save->descriptor >= 0 || !save->size)
		return;
	fprintf(stderr, "profil: %llu KB in %s; next: profil report",
		kilobytes(save), save->path);
	if (strcmp(save->path, DATA_NAME))
		fprintf(stderr, " -i %s", save->path);
	fputc('\n', stderr);
}

void profil_saved_print_summary(const struct recorder *recorder,
				const struct profile *profile)
{
	const struct save *save = &recorder->save;

	if (profile->head.table == TABLE_MACHINE) {
		fputs("profil: ", stderr);
		profil_heading_print(stderr, profile);
	} else {
		print_counts(profile);
	}
	profil_notes_print(stderr, profile);
	print_children(recorder, profile);
	if (recorder->is_saved && !save->error)
		print_file(save);
}
