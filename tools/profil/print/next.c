// SPDX-License-Identifier: GPL-2.0-only
/* The next command, which shows more of what a profile is about */
#include "print/next.h"
#include "profile/rows.h"
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

static const struct profile_function *function_of(const struct profile *profile,
						  const struct row *row)
{
	uint32_t function = profile_place_of(profile, row->hottest)->function;

	return &profile->functions[function];
}

static bool has_function(const struct profile *profile, const struct row *row)
{
	return row->hottest &&
	       profile_place_of(profile, row->hottest)->function !=
		       PROFILE_NONE;
}

/* The function of @row is code of the user with source lines. */
static bool is_own(const struct profile *profile, const struct row *row)
{
	const struct profile_place *place;
	const char *path;

	if (!has_function(profile, row))
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
	return has_function(profile, row) &&
	       *function_of(profile, row)->name != '[';
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

void profil_next_print(FILE *out, const struct profile *profile,
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
