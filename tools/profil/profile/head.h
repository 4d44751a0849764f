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
 * struct head_field - a number
 * @line: kind of its line in a profil.data
 * @sum: number of a sum
 * @most: largest value
 * @offset: offset in struct profile_head
 * @is_optional: a profil.data has no such line if the number is 0
 */
struct head_field {
	const char *line;
	enum head_sum sum;
	uint64_t most;
	size_t offset;
	bool is_optional;
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

#endif
