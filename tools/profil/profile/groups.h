/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of samples */
#ifndef PROFIL_GROUPS_H
#define PROFIL_GROUPS_H

#include "profile/profile.h"

#define KEY(key, ...) ROW_##key,
enum row_key {
#include "profile/row_keys.h"
	ROW_KEYS
};

/* Numbers of a sample: one for each key, and a second one for a line */
#define GROUP_NUMBERS (ROW_KEYS + 1)

/**
 * struct group - samples with equal numbers
 * @numbers: one of each key; 0 for keys that rows have not
 * @samples: their counts
 * @kernel: those in kernel mode
 * @total: those of profil_totals_set()
 * @is_own: code of the user; this and the next ones as of profil_totals_set_callers()
 * @caller: function of the user that has called most of them, or NULL
 * @caller_samples: those that it has called
 * @hottest: the sample with the most; the one with the lowest address of several
 * @most: samples of @hottest; private
 */
struct group {
	uint64_t numbers[GROUP_NUMBERS];
	uint64_t samples;
	uint64_t kernel;
	uint64_t total;
	bool is_own;
	const char *caller;
	uint64_t caller_samples;
	const struct profile_sample *hottest;
	uint64_t most;
};

#define GROUP_NONE SIZE_MAX

/* All groups, each with other numbers; all 0 at first. @set is private */
struct groups {
	struct group *array;
	size_t nr;
	struct index_set set;
};

void profil_groups_free(struct groups *groups);

/*
 * Add @part, samples of @profile, to the group with its numbers; the index of that group,
 * valid until the groups are sorted
 */
size_t profil_groups_add(struct groups *groups, const struct profile *profile,
			 struct group part);

/* Sort the groups by their numbers, after the last one was added. */
void profil_groups_sort(struct groups *groups);

#endif
