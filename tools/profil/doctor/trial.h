/* SPDX-License-Identifier: GPL-2.0-only */
/* A trial of callers: a child is recorded for a moment */
#ifndef PROFIL_TRIAL_H
#define PROFIL_TRIAL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct trial - what the driver has counted of a child in a loop below qsort()
 * @error: number of the error of opening a table for callers, or 0
 * @is_flat: the driver opens a table without callers in its place
 * @has_kernel: functions of the kernel are recorded for this user
 * @samples: samples of the child
 * @whole: those with all callers
 * @tableless: a file in which a walk has found no rows, or ""
 */
struct trial {
	int error;
	bool is_flat;
	bool has_kernel;
	uint64_t samples;
	uint64_t whole;
	char tableless[PATH_MAX + sizeof(" (deleted)")];
};

/* Make a trial, whose members are 0 before. It takes two seconds at most. */
void profil_trial_make(struct trial *trial);

#endif
