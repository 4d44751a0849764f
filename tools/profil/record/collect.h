/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_COLLECT_H
#define PROFIL_COLLECT_H

#include "attach/origins.h"
#include "record/recording.h"
#include "resolve/known.h"

/* Read what was counted so far into @baseline, which is empty. */
void profil_baseline_read(struct baseline *baseline,
			  const struct recording *recording);

/*
 * Make the initialized @profile of all that was counted since @baseline, with
 * the names of the code. The command may still be running. @origins has the
 * processes that were attached, or is NULL. @known has the names of an earlier
 * snapshot, or NULL, and can keep @profile afterwards.
 */
void profil_collect(struct profile *profile, const struct recording *recording,
		    const struct origins *origins,
		    const struct baseline *baseline, struct known *known);

/**
 * struct moment - samples and time at a moment
 * @samples: samples of the driver so far
 * @cpu_ns: CPU time so far
 */
struct moment {
	uint64_t samples;
	uint64_t cpu_ns;
};

/**
 * struct interval - the part of a recording since the part before
 * @first: the beginning of the recording
 * @begin: what was counted before the part
 * @end: what was counted when the part was collected last
 * @wall_ns: nanoseconds of the recording before the part
 * @end_wall_ns: the same, when the part was collected last
 */
struct interval {
	struct moment first;
	struct baseline begin;
	struct baseline end;
	uint64_t wall_ns;
	uint64_t end_wall_ns;
};

/* Let @interval, which is empty, begin with a recording that has @baseline. */
void profil_interval_begin(struct interval *interval,
			   const struct baseline *baseline);

/*
 * Make the initialized @profile of what was counted in @interval by now. The profile
 * has no numbers of processes, and @known does not keep it.
 */
void profil_interval_collect(struct interval *interval, struct profile *profile,
			     const struct recording *recording,
			     const struct origins *origins,
			     struct known *known);

/*
 * @interval begins where it was collected last, once that profile is saved: the sum of
 * all that are saved has each sample once.
 */
void profil_interval_next(struct interval *interval);
void profil_interval_free(struct interval *interval);

#endif
