/* SPDX-License-Identifier: GPL-2.0-only */
/* Function that is annotated, and its samples */
#ifndef PROFIL_ANNOTATE_SUBJECT_H
#define PROFIL_ANNOTATE_SUBJECT_H

#include <regex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

/**
 * struct hit - an instruction of the function with samples
 * @place: one of its places; several programs may have executed it
 * @frame: the function's frame, counted from the innermost, or PROFILE_NONE if
 *	no source line is known
 * @samples: samples of all programs
 */
struct hit {
	const struct profile_place *place;
	uint32_t frame;
	uint64_t samples;
};

/**
 * struct subject - a function and its samples
 * @profile: the profile
 * @function: index of the function
 * @hits: instructions with samples, ascending by address
 * @nr_hits: elements of @hits
 * @samples: samples of all hits
 * @inlined: samples of hits in other functions, where the function was inlined
 * @others: indices of other functions that match, the hottest first
 * @nr_others: elements of @others
 */
struct subject {
	const struct profile *profile;
	uint32_t function;
	struct hit *hits;
	size_t nr_hits;
	uint64_t samples;
	uint64_t inlined;
	uint32_t *others;
	uint32_t nr_others;
};

/*
 * Find the hottest function whose name or symbol is @name, or else contains it;
 * NULL: the hottest of all. @object is a pattern for paths of objects, or NULL.
 * False if no function with samples matches.
 */
bool profil_subject_find(struct subject *subject, const struct profile *profile,
			 const char *name, const regex_t *object);

/* Make @function, an index, the subject. */
void profil_subject_make(struct subject *subject, const struct profile *profile,
			 uint32_t function);
void profil_subject_free(struct subject *subject);

/* Share of @samples in those of the function, in percent */
double profil_subject_percent(const struct subject *subject, uint64_t samples);

/* Standard error of that share, in percent */
double profil_subject_error(const struct subject *subject, uint64_t samples);

/* Innermost frame of @hit, or NULL */
const struct profile_frame *profil_subject_inner(const struct subject *subject,
						 const struct hit *hit);

/* Frame of the function in @hit, or NULL */
const struct profile_frame *profil_subject_frame(const struct subject *subject,
						 const struct hit *hit);

#endif
