// SPDX-License-Identifier: GPL-2.0-only
/* Reasons why the profile of a recording is incomplete */
#include <errno.h>
#include <string.h>

#include <linux/profil.h>

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

/*
 * Locked memory is a page for the totals, and the counters of hot code. Without
 * a limit, the kernel itself had no memory.
 */
static void print_memory(FILE *out, const struct profile_head *head)
{
	unsigned long long need = head->counter_bytes / 1024 + 4;

	if (head->memlock == UINT64_MAX)
		fputc('\n', out);
	else
		fprintf(out,
			": the limit is %llu KiB: ulimit -l %llu, or profil doctor if that is refused\n",
			(unsigned long long)head->memlock / 1024,
			2 * need > 8192 ? 2 * need : 8192);
}

static void print_failed(FILE *out, const struct profile_head *head)
{
	unsigned long long failed = head->failed;

	fprintf(out, "%llu process%s %s not counted to the end (%s)", failed,
		plural(failed), were(failed), strerror(head->error));
	if (head->error == ENOMEM)
		print_memory(out, head);
	else if (head->error == ENODEV)
		fputs(": they need a " PROFIL_DEVICE "\n", out);
	else
		fputc('\n', out);
}

static void print_yielded(FILE *out, unsigned long long yielded)
{
	fprintf(out,
		"%llu process%s called profil() and %s not counted further\n",
		yielded, plural(yielded), were(yielded));
}

static void print_running(FILE *out, unsigned long long running)
{
	fprintf(out,
		"%llu process%s %s still running and will not be counted further\n",
		running, plural(running), running == 1 ? "is" : "are");
}

static void print_unprofiled_children(FILE *out, unsigned long long number)
{
	fprintf(out,
		"%llu forked process%s %s not counted: the kernel had no memory\n",
		number, plural(number), were(number));
}

static void print_processes(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;

	if (!head->processes && !profil_profile_total(profile) &&
	    !profil_unprofiled_has_names(profile))
		fputs("the command did not load libprofil: it is not in the profile\n",
		      out);
	if (head->failed)
		print_failed(out, head);
	if (head->unprofiled_children)
		print_unprofiled_children(out, head->unprofiled_children);
	if (head->yielded)
		print_yielded(out, head->yielded);
	if (head->sessions > head->ended && head->is_complete)
		print_running(out, head->sessions - head->ended);
}

static void print_lost(FILE *out, const struct profile_head *head)
{
	if (head->lost <= LOST_FEW || head->lost <= head->samples / LOST_SHARE)
		return;
	fprintf(out,
		"%llu samples were lost, in processes that were very short or could not lock more memory",
		(unsigned long long)head->lost);
	print_memory(out, head);
}

static void print_none(FILE *out, const struct profile_head *head)
{
	double period = head->period_ns / 1e9;
	double cpu = head->cpu_ns / 1e9;

	if (!head->period_ns || head->samples)
		return;
	if (cpu < 2 * period)
		fprintf(out,
			"the command took %.3f s of CPU time, and a sample stands for %.4g s: give a higher -F\n",
			cpu, period);
	else
		fprintf(out, "no sample was taken in %.3f s of CPU time\n",
			cpu);
}

/* The totals of the driver and the counters are independent of each other. */
static void print_difference(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t hits = head->hits - head->saturated;
	uint64_t counted =
		profil_profile_total(profile) - head->outside - head->lost;

	if (head->sessions == head->ended && counted != hits)
		fprintf(out,
			"the counters hold %lld samples more than were taken\n",
			(long long)(counted - hits));
}

void profil_notes_print(FILE *out, const struct profile *profile)
{
	print_processes(out, profile);
	if (profile->head.dropped)
		fputs("too many ranges of code: samples in the last ones are [outside]\n",
		      out);
	profil_unprofiled_print(out, profile);
	print_lost(out, &profile->head);
	print_none(out, &profile->head);
	print_difference(out, profile);
}
