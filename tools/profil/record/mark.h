/* SPDX-License-Identifier: GPL-2.0-only */
/* Moments of a recording */
#ifndef PROFIL_MARK_H
#define PROFIL_MARK_H

#include "process/process.h"
#include "profile/profile.h"

/*
 * What is counted beside places: sums over the table of the driver, CPU time of the
 * processes and of the machine, and nanoseconds of the recording
 */
struct numbers {
	struct profil_take taken;
	struct cpu_time cpu;
	struct machine_time machine;
	uint64_t wall_ns;
};

/* Counts of a sample in user and in kernel mode */
struct count {
	uint64_t user;
	uint64_t kernel;
};

/*
 * A moment of a recording; all 0 is its beginning: numbers, counts of the samples and of
 * the stacks that there were, and samples of the functions of the kernel that there were
 */
struct mark {
	struct numbers numbers;
	struct count *samples;
	uint32_t nr_samples;
	struct count *stacks;
	uint32_t nr_stacks;
	uint64_t *kernel;
	uint32_t nr_kernel;
};

void profil_mark_free(struct mark *mark);

/*
 * The stacks of @profile, of a recording, with what was counted since @mark, and whether
 * they, or stacks below them, have any of that; both to be freed
 */
struct profile_stack *profil_mark_stacks_since(const struct mark *mark,
					       const struct profile *profile,
					       bool **are_used);

#endif
