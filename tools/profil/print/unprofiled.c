// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that were executed and are not in the profile
 *
 * Their CPU time follows from the CPU time of all children that were waited for
 * and the number of samples. Their names are in the run's file: each process
 * notes a program before it executes it, and profil notes its own child.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "include/reach.h"
#include "include/unseen.h"
#include "print/unprofiled.h"
#include "util/text.h"

/* Programs that have a line each; all others have one line together. */
#define MAX_NAMES 10

/*
 * Less CPU time than this has no line: in seconds, in periods of samples, and as
 * one part in SHARE of all
 */
#define FEW_SECONDS 0.05
#define FEW_PERIODS 10
#define SHARE 10
/* Standard deviations of the number of samples that chance explains */
#define DEVIATIONS 5

#ifdef __GLIBC__
#define OTHER_LIBC "musl"
#else
#define OTHER_LIBC "glibc"
#endif

/**
 * struct reason - text for a reason why a program is not profiled
 * @kind: kind of the program, or of its execution
 * @remedy: remedy after a colon, or an empty string
 */
struct reason {
	const char *kind;
	const char *remedy;
};

static const struct reason reasons[] = {
	[REACH_STATIC] = { "static",
			   ": link it dynamically, or with libprofil.a" },
	[REACH_LIBC] = { OTHER_LIBC, "" },
	[REACH_32BIT] = { "32-bit", "" },
	[REACH_MACHINE] = { "for another processor", "" },
	[REACH_PRIVILEGE] = { "gains privileges",
			      ": run a copy of it, or run it as its owner" },
	[REACH_ENVIRONMENT] = { "executed without LD_PRELOAD or PROFIL_RUN",
				"" },
	[REACH_ROOT] = { "executed in a root directory without libprofil", "" },
	[REACH_FILE] = { "executed as another user, or without /proc", "" },
};

/* PROFIL_LIB may name a library for programs of this kind. */
static bool is_for_library(enum reach reach)
{
	return getenv("PROFIL_LIB") &&
	       (reach == REACH_LIBC || reach == REACH_32BIT ||
		reach == REACH_MACHINE);
}

void profil_unprofiled_note(const struct run_file *file, const char *name)
{
	char path[REACH_PATH];
	enum reach reach;
	bool built_in;

	if (!profil_reach_find(name, path))
		return;
	reach = profil_reach(path, &built_in);
	if (reach != REACH_YES && !is_for_library(reach))
		profil_unseen_add(file->run, path, reach);
}

static const struct reason *reason_of(const struct run_unseen *entry)
{
	size_t nr = sizeof(reasons) / sizeof(*reasons);

	if (!__atomic_load_n(&entry->key, __ATOMIC_ACQUIRE) ||
	    !entry->processes || entry->reach >= nr ||
	    !reasons[entry->reach].kind)
		return NULL;
	return &reasons[entry->reach];
}

static uint32_t count(const struct run *run)
{
	return run->nr_unseen < RUN_UNSEEN ? run->nr_unseen : RUN_UNSEEN;
}

bool profil_unprofiled_has_names(const struct run *run)
{
	for (uint32_t i = 0; i < count(run); i++)
		if (reason_of(&run->unseen[i]))
			return true;
	return run->unnamed;
}

static void print_program(FILE *out, const struct run_unseen *entry,
			  const struct reason *reason)
{
	char path[sizeof(entry->path) + 1] = "";
	char *name;

	memcpy(path, entry->path, sizeof(entry->path));
	name = profil_text_printable(path);
	fprintf(out, "%u %s of %s (%s) %s not in the profile%s\n",
		entry->processes,
		entry->processes == 1 ? "process" : "processes", name,
		reason->kind, entry->processes == 1 ? "is" : "are",
		reason->remedy);
	free(name);
}

static void print_programs(FILE *out, const struct run *run)
{
	uint64_t processes = run->unnamed;
	int named = 0;

	for (uint32_t i = 0; i < count(run); i++) {
		const struct run_unseen *entry = &run->unseen[i];
		const struct reason *reason = reason_of(entry);

		if (reason && named < MAX_NAMES) {
			print_program(out, entry, reason);
			named++;
		} else if (reason) {
			processes += entry->processes;
		}
	}
	if (processes)
		fprintf(out,
			"%llu processes of further programs are not in the profile\n",
			(unsigned long long)processes);
}

static double seconds(struct timeval time)
{
	return time.tv_sec + time.tv_usec / 1e6;
}

/* CPU time of all children that were waited for */
static double used(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		return 0;
	return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static double chance(double period, double samples)
{
	double few = FEW_PERIODS * period;

	return (few > FEW_SECONDS ? few : FEW_SECONDS) +
	       DEVIATIONS * sqrt(samples) * period;
}

static void print_time(FILE *out, const struct run *run,
		       const struct profil_totals *totals)
{
	double period = run->true_period_ns / 1e9;
	double all = used();
	double missing = all - totals->samples * period;

	if (missing < chance(period, totals->samples) || missing < all / SHARE)
		return;
	fprintf(out, "%.2f s of %.2f s of CPU time are not in the profile%s\n",
		missing, all,
		profil_unprofiled_has_names(run) ?
			"" :
			": processes need some to start and to end");
}

void profil_unprofiled_print(FILE *out, const struct run *run,
			     const struct profil_totals *totals)
{
	print_time(out, run, totals);
	print_programs(out, run);
}
