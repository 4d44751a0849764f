/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of places */
#ifndef PROFIL_GROUP_H
#define PROFIL_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

#define KEY(key, ...) ROW_##key,
enum row_key {
#include "profile/row_keys.h"
	ROW_KEYS
};

/* Numbers of a place: one for each key, and a second one for a line */
#define GROUP_NUMBERS (ROW_KEYS + 1)

/**
 * struct group - places with equal numbers
 * @numbers: the numbers
 * @samples: all samples
 * @kernel: those in kernel mode
 * @hottest: place with the most samples
 */
struct group {
	uint64_t numbers[GROUP_NUMBERS];
	uint64_t samples;
	uint64_t kernel;
	const struct profile_place *hottest;
};

/**
 * struct groups - all groups; all 0 at first
 * @array: the groups; ascending by their numbers after profil_groups_join()
 * @nr: elements of @array
 */
struct groups {
	struct group *array;
	size_t nr;
};

void profil_groups_free(struct groups *groups);

/*
 * Add @place, which has @samples, as a group of its own, whose numbers are 0; valid
 * until the next one is added
 */
struct group *profil_groups_add(struct groups *groups,
				const struct profile_place *place,
				uint64_t samples);

/* Make one group of those with equal numbers. */
void profil_groups_join(struct groups *groups);

#endif
