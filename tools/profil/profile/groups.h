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
 * @hottest: the sample with the most
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
};

#define GROUP_NONE SIZE_MAX

/* All groups, ascending by their numbers after profil_groups_join(); all 0 at first */
struct groups {
	struct group *array;
	size_t nr;
};

void profil_groups_free(struct groups *groups);

/*
 * Add @sample, which counts @samples, as a group of its own, whose numbers are 0; valid
 * until the next one is added
 */
struct group *profil_groups_add(struct groups *groups,
				const struct profile_sample *sample,
				uint64_t samples);

/* Make one group of those with equal numbers, of samples of @profile. */
void profil_groups_join(struct groups *groups, const struct profile *profile);

/* Index of the group with the numbers of @group, of those that were joined; or GROUP_NONE */
size_t profil_groups_find(const struct groups *groups,
			  const struct group *group);

#endif
