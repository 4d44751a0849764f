// SPDX-License-Identifier: GPL-2.0-only
/* Where a profile was saved */
#include <sys/resource.h>

#include "print/heading.h"
#include "print/next.h"
#include "print/notes.h"
#include "profile/data_file.h"
#include "profile/rows.h"
#include "record/recorder.h"
#include "record/saved.h"
#include "util/text.h"

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
	profil_next_print(out, profile, rows);
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
