// SPDX-License-Identifier: GPL-2.0-only
/* What the profile of a run leaves out */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "print/notes.h"
#include "print/unprofiled.h"

/*
 * A process that ends at once may take a sample or two with it, whose counter
 * was not in memory yet. What is lost is worth a word if it is more than a few,
 * and 1 in so many.
 */
#define LOST_FEW 100
#define LOST_SHARE 50

/* What is locked: a page for the totals, and as much as the hot code is long */
static void say_memory(FILE *out, const struct run_file *file)
{
	unsigned long long need =
		profil_run_file_counter_bytes(file) / 1024 + 4;
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		fputs(": raise ulimit -l\n", out);
	else
		fprintf(out,
			": raise ulimit -l, which is %llu KiB here, to %llu KiB or more\n",
			(unsigned long long)limit.rlim_cur / 1024,
			2 * need > 8192 ? 2 * need : 8192);
}

static void say_failure(FILE *out, const struct run_file *file)
{
	const struct run *run = file->run;

	fprintf(out, "processes that are missing from some time on: %u (%s)",
		run->failed, strerror(run->error));
	if (run->error == ENOMEM)
		say_memory(out, file);
	else if (run->error == ENODEV)
		fputs(": is " PROFIL_DEVICE " there for them?\n", out);
	else
		fputc('\n', out);
}

static void say_processes(FILE *out, const struct recording *recording)
{
	const struct profil_totals *totals = &recording->totals;
	const struct run *run = recording->file.run;

	if (!run->processes && !profil_unprofiled_has_names(run))
		fputs("the command did not load libprofil, and is missing\n",
		      out);
	if (run->failed)
		say_failure(out, &recording->file);
	if (totals->unprofiled_children)
		fprintf(out,
			"forked processes that the kernel had no memory for: %llu\n",
			totals->unprofiled_children);
	if (run->yielded)
		fprintf(out,
			"processes that called profil() and are missing since: %u\n",
			run->yielded);
	if (totals->sessions > totals->ended)
		fprintf(out,
			"processes that go on, and will be missing from now on: %llu\n",
			totals->sessions - totals->ended);
}

static void say_lost(FILE *out, const struct recording *recording)
{
	const struct profil_totals *totals = &recording->totals;

	if (totals->lost <= LOST_FEW ||
	    totals->lost <= totals->samples / LOST_SHARE)
		return;
	fprintf(out,
		"lost samples: %llu, in processes that were very short, or could not lock more memory",
		totals->lost);
	say_memory(out, &recording->file);
}

static void say_none(FILE *out, const struct recording *recording)
{
	const struct child_result *result = &recording->result;
	double period = recording->table.period_ns / 1e9;

	if (!period || recording->totals.samples)
		return;
	if (result->cpu < 2 * period)
		fprintf(out,
			"the command took %.3f s of CPU time, and a sample stands for %.4g s: give a higher -F\n",
			result->cpu, period);
	else
		fprintf(out, "no sample was taken in %.3f s of CPU time\n",
			result->cpu);
}

/* The driver's sum and that of the counters are made apart from each other. */
static void say_difference(FILE *out, const struct recording *recording)
{
	const struct profil_totals *totals = &recording->totals;
	uint64_t hits = totals->hits - totals->saturated;
	uint64_t counted = recording->table.counted;

	if (totals->sessions == totals->ended && counted != hits)
		fprintf(out,
			"the counters hold %lld samples more than were taken\n",
			(long long)(counted - hits));
}

void profil_notes_print(FILE *out, const struct recording *recording)
{
	say_processes(out, recording);
	if (recording->file.run->dropped)
		fputs("there was too much code: the rest of it counts as outside\n",
		      out);
	profil_unprofiled_print(out, recording->file.run, &recording->totals);
	say_lost(out, recording);
	say_none(out, recording);
	say_difference(out, recording);
}
