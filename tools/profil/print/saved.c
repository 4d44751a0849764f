// SPDX-License-Identifier: GPL-2.0-only
/* Where a profile was saved, and what comes next */
#include "print/print.h"
#include "profile/data_file.h"
#include "record/recorder.h"
#include "util/text.h"

static unsigned long long kilobytes(const struct save *save)
{
	return (save->size + 999) / 1000;
}

/* An offset of a file without symbols, or [plt], has no source. */
static bool is_symbol(const char *name)
{
	return *name != '[' && !strstr(name, "+0x");
}

/*
 * Name of the first function with source lines, or of the first whose hottest
 * instruction is more than a system call, or NULL if no row is one
 */
static const char *first_function(const struct rows *rows)
{
	const char *first = NULL;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->array[i];
		const char *name = row->names[rows->nr_names - 1];

		if (row->is_special || !row->hottest || !is_symbol(name))
			continue;
		if (row->hottest->nr_frames)
			return name;
		if (!first && row->hottest->user > row->hottest->kernel)
			first = name;
	}
	return first;
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

void profil_saved_print(FILE *out, const struct recorder *recorder,
			const struct rows *rows)
{
	const struct save *save = &recorder->save;
	const char *function = first_function(rows);

	if (!recorder->is_saved || save->error)
		return;
	fprintf(out, "saved in %s (%llu KB)", save->path, kilobytes(save));
	if (function) {
		fputs("; next: profil annotate ", out);
		print_quoted(out, function);
	}
	fputc('\n', out);
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

	fprintf(stderr,
		"profil: %.2f s of CPU in %" PRIu64
		" process%s of %u program%s, %" PRIu64 " sample%s\n",
		head->cpu_ns / 1e9, processes, processes == 1 ? "" : "es",
		profile->nr_programs, plural(profile->nr_programs), samples,
		plural(samples));
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
