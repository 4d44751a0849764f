/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers in the head of a profile: in a file, and in a sum */
#ifndef PROFIL_HEAD_H
#define PROFIL_HEAD_H

#include "profile/profile.h"

/**
 * enum head_sum - number of a sum
 * @HEAD_FIRST: that of the first profile
 * @HEAD_SET: that of the first profile in which it is not 0
 * @HEAD_SUM: the sum
 * @HEAD_LEAST: the least one
 * @HEAD_MOST: the largest one
 */
enum head_sum { HEAD_FIRST, HEAD_SET, HEAD_SUM, HEAD_LEAST, HEAD_MOST };

/**
 * enum taken_class - what a number of struct profil_take counts
 * @TAKEN_NONE: the number is not of struct profil_take
 * @TAKEN_SUM: samples of no other class
 * @TAKEN_AWAY: samples of what is not recorded
 * @TAKEN_KERNEL: samples without code of a program; a function of the kernel may have them
 * @TAKEN_LOST: samples that were lost
 * @TAKEN_WALK: ends of the walks from samples to their callers, and what they lack
 * @TAKEN_NOW: what there was at the last take: not a sum of all takes
 */
enum taken_class {
	TAKEN_NONE,
	TAKEN_SUM,
	TAKEN_AWAY,
	TAKEN_KERNEL,
	TAKEN_LOST,
	TAKEN_WALK,
	TAKEN_NOW,
};

/**
 * struct head_field - a number
 * @line: kind of its line in a profil.data
 * @sum: number of a sum
 * @most: largest value
 * @offset: offset in struct profile_head
 * @is_optional: a profil.data has no such line if all its numbers are 0
 * @class: class of a number of struct profil_take
 * @name: name of such a number
 * @text: text behind the time of such samples, or NULL
 */
struct head_field {
	const char *line;
	enum head_sum sum;
	uint64_t most;
	size_t offset;
	bool is_optional;
	enum taken_class class;
	const char *name;
	const char *text;
};

/* All numbers, in the order of a profil.data, ended by one without a line */
extern const struct head_field profil_head_fields[];

static inline uint64_t *profil_head_number(const struct profile_head *head,
					   const struct head_field *field)
{
	return (uint64_t *)((char *)head + field->offset);
}

/* Add @other to @sum. */
void profil_head_add(struct profile_head *sum,
		     const struct profile_head *other);

/* Add the numbers of @taken that have a class to those of @sum, @times times. */
void profil_taken_add(struct profil_take *sum, const struct profil_take *taken,
		      int times);

/* Sum of the numbers of @class */
uint64_t profil_taken_sum(const struct profil_take *taken,
			  enum taken_class class);

/* Let the numbers of @class be 0. */
void profil_taken_clear(struct profil_take *taken, enum taken_class class);

/* Samples of the processes' CPU time, also those that no code of a program has */
static inline uint64_t profile_sampled(const struct profile_head *head)
{
	return head->samples + head->taken.denied +
	       profil_taken_sum(&head->taken, TAKEN_KERNEL);
}

#endif
