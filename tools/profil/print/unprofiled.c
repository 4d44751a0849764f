// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that were executed and are not in the profile
 *
 * Their CPU time follows from the CPU time of the command, with all children that
 * were waited for, and the number of samples. Their names were noted before the
 * programs were executed.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/reach.h"
#include "print/print.h"
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
#define DEVIATIONS 3

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
	[REACH_SECCOMP] = { "executed under a seccomp filter", "" },
};

static const struct reason *reason_of(const struct profile_unseen *unseen)
{
	size_t nr = sizeof(reasons) / sizeof(*reasons);

	if (!unseen->processes || unseen->reach >= nr ||
	    !reasons[unseen->reach].kind)
		return NULL;
	return &reasons[unseen->reach];
}

const char *profil_unprofiled_reason(const struct profile_unseen *unseen)
{
	const struct reason *reason = reason_of(unseen);

	return reason ? reason->kind : NULL;
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

/* Seconds of difference between CPU time and samples of @seconds by chance */
static double chance(double period, double seconds)
{
	double few = FEW_PERIODS * period;

	return (few > FEW_SECONDS ? few : FEW_SECONDS) +
	       DEVIATIONS * sqrt(seconds * period);
}

/*
 * Seconds of CPU time without samples, or of samples without CPU time if negative; 0 if
 * chance explains them
 */
static double difference(const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	double period = head->period_ns / 1e9;
	double all = head->cpu_ns / 1e9;
	double sampled = head->samples * period;
	double missing = all - sampled;

	if (fabs(missing) < chance(period, sampled) ||
	    fabs(missing) < all / SHARE)
		return 0;
	return missing;
}

double profil_unprofiled_seconds(const struct profile *profile)
{
	return fmax(difference(profile), 0);
}

/* Processes that the command did not wait for have sessions, too. */
double profil_unprofiled_unsampled(const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	double all = head->session_ns / 1e9;
	double unsampled = all - head->sampled_ns / 1e9;

	if (unsampled < chance(head->period_ns / 1e9, all))
		return 0;
	return fmin(unsampled, profil_unprofiled_seconds(profile));
}

/* A cause is named if it was counted: time that has none of them has no cause. */
static void print_causes(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	bool is_memory = head->error == ENOMEM;
	const struct {
		bool is_counted;
		const char *text;
	} causes[] = {
		{ head->failed && is_memory,
		  "processes had no memory for counters" },
		{ head->failed && !is_memory, "the driver refused processes" },
		{ head->unprofiled_children,
		  "forked processes had no session" },
		{ head->yielded, "processes profiled themselves" },
		{ profil_unprofiled_has_names(profile),
		  "programs ran without libprofil" },
		{ head->is_orphan, "profil was killed" },
	};
	double unsampled = profil_unprofiled_unsampled(profile);
	const char *separator = ": ";

	if (unsampled > 0) {
		fprintf(out, ": %.2f s in sessions had no samples", unsampled);
		separator = ", ";
	}
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
		if (!causes[i].is_counted)
			continue;
		fprintf(out, "%s%s", separator, causes[i].text);
		separator = ", ";
	}
}

static void print_time(FILE *out, const struct profile *profile)
{
	double missing = profil_unprofiled_seconds(profile);

	if (missing <= 0)
		return;
	fprintf(out, "%.2f s of %.2f s of CPU time are not in the profile",
		missing, profile->head.cpu_ns / 1e9);
	print_causes(out, profile);
	fputc('\n', out);
}

/* CPU time of children is known if the command has waited for them. */
static void print_daemons(FILE *out, const struct profile *profile)
{
	double missing = difference(profile);

	if (missing < 0)
		fprintf(out,
			"%.2f s of samples are of processes that the command did not wait for\n",
			-missing);
}

void profil_unprofiled_print(FILE *out, const struct profile *profile)
{
	print_time(out, profile);
	print_daemons(out, profile);
	print_programs(out, profile);
}
