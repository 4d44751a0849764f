// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that were executed and are not in the profile
 *
 * Their CPU time follows from the CPU time of the command, with all children that
 * were waited for, and the number of samples. Their names were noted before the
 * programs were executed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/reach.h"
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
/* CPU time before libprofil starts and after the process ends, at most */
#define START_SECONDS 0.1

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

static const struct reason *reason_of(const struct profile_unseen *unseen)
{
	size_t nr = sizeof(reasons) / sizeof(*reasons);

	if (!unseen->processes || unseen->reach >= nr ||
	    !reasons[unseen->reach].kind)
		return NULL;
	return &reasons[unseen->reach];
}

bool profil_unprofiled_has_names(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_unseen; i++)
		if (reason_of(&profile->unseen[i]))
			return true;
	return profile->head.unnamed;
}

static void print_program(FILE *out, const struct profile_unseen *unseen,
			  const struct reason *reason)
{
	unsigned long long processes = unseen->processes;
	char *name = profil_text_printable(unseen->path);

	fprintf(out, "%llu %s of %s (%s) %s not in the profile%s\n", processes,
		processes == 1 ? "process" : "processes", name, reason->kind,
		processes == 1 ? "is" : "are", reason->remedy);
	free(name);
}

static void print_programs(FILE *out, const struct profile *profile)
{
	unsigned long long processes = profile->head.unnamed;
	int named = 0;

	for (uint32_t i = 0; i < profile->nr_unseen; i++) {
		const struct profile_unseen *unseen = &profile->unseen[i];
		const struct reason *reason = reason_of(unseen);

		if (reason && named < MAX_NAMES) {
			print_program(out, unseen, reason);
			named++;
		} else if (reason) {
			processes += unseen->processes;
		}
	}
	if (processes)
		fprintf(out,
			"%llu processes of further programs are not in the profile\n",
			processes);
}

static double chance(double period, double samples)
{
	double few = FEW_PERIODS * period;

	return (few > FEW_SECONDS ? few : FEW_SECONDS) +
	       DEVIATIONS * sqrt(samples) * period;
}

/* A process without a part in the profile spends little in its start and end. */
static const char *cause_of(const struct profile *profile, double missing)
{
	if (profil_unprofiled_has_names(profile))
		return "";
	return missing > profile->head.sessions * START_SECONDS ?
		       ": ticks came late or not at all, as in a virtual machine on a busy host" :
		       ": processes need some to start and to end";
}

static void print_time(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	double period = head->period_ns / 1e9;
	double all = head->cpu_ns / 1e9;
	double missing = all - head->samples * period;

	if (missing < chance(period, head->samples) || missing < all / SHARE)
		return;
	fprintf(out, "%.2f s of %.2f s of CPU time are not in the profile%s\n",
		missing, all, cause_of(profile, missing));
}

void profil_unprofiled_print(FILE *out, const struct profile *profile)
{
	print_time(out, profile);
	print_programs(out, profile);
}
