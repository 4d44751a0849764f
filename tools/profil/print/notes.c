// SPDX-License-Identifier: GPL-2.0-only
/* Reasons why the profile of a recording is incomplete */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "print/notes.h"
#include "print/unprofiled.h"

/*
 * Lost samples have a line if they are more than LOST_FEW, and more than one of
 * LOST_SHARE samples. A process that ends soon may lose a sample or two, whose
 * counters were not in memory yet.
 */
#define LOST_FEW 100
#define LOST_SHARE 50

static const char *plural(unsigned long long number)
{
	return number == 1 ? "" : "es";
}

static const char *were(unsigned long long number)
{
	return number == 1 ? "was" : "were";
}

/* Locked memory is a page for the totals, and the counters of hot code. */
static void print_memory(FILE *out, const struct run_file *file)
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

static void print_failed(FILE *out, const struct run_file *file)
{
	const struct run *run = file->run;

	fprintf(out, "%u process%s %s not counted to the end (%s)", run->failed,
		plural(run->failed), were(run->failed), strerror(run->error));
	if (run->error == ENOMEM)
		print_memory(out, file);
	else if (run->error == ENODEV)
		fputs(": they need a " PROFIL_DEVICE "\n", out);
	else
		fputc('\n', out);
}

static void print_yielded(FILE *out, unsigned int yielded)
{
	fprintf(out,
		"%u process%s called profil() and %s not counted further\n",
		yielded, plural(yielded), were(yielded));
}

static void print_running(FILE *out, unsigned long long running)
{
	fprintf(out,
		"%llu process%s %s still running and will not be counted further\n",
		running, plural(running), running == 1 ? "is" : "are");
}

static void print_processes(FILE *out, const struct recording *recording)
{
	const struct profil_totals *totals = &recording->totals;
	const struct run *run = recording->file.run;

	if (!run->processes && !profil_unprofiled_has_names(run))
		fputs("the command did not load libprofil: it is not in the profile\n",
		      out);
	if (run->failed)
		print_failed(out, &recording->file);
	if (totals->unprofiled_children)
		fprintf(out,
			"%llu forked process%s %s not counted: the kernel had no memory\n",
			totals->unprofiled_children,
			plural(totals->unprofiled_children),
			were(totals->unprofiled_children));
	if (run->yielded)
		print_yielded(out, run->yielded);
	if (totals->sessions > totals->ended)
		print_running(out, totals->sessions - totals->ended);
}

static void print_lost(FILE *out, const struct recording *recording)
{
	const struct profil_totals *totals = &recording->totals;

	if (totals->lost <= LOST_FEW ||
	    totals->lost <= totals->samples / LOST_SHARE)
		return;
	fprintf(out,
		"%llu samples were lost, in processes that were very short or could not lock more memory",
		totals->lost);
	print_memory(out, &recording->file);
}

static void print_none(FILE *out, const struct recording *recording)
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

/* The totals of the driver and the counters are independent of each other. */
static void print_difference(FILE *out, const struct recording *recording)
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
	print_processes(out, recording);
	if (recording->file.run->dropped)
		fputs("too many files of code: samples in the last ones are [outside]\n",
		      out);
	profil_unprofiled_print(out, recording->file.run, &recording->totals);
	print_lost(out, recording);
	print_none(out, recording);
	print_difference(out, recording);
}
