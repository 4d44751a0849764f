/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of the samples of a profile */
#ifndef PROFIL_PROFILE_ROWS_H
#define PROFIL_PROFILE_ROWS_H

#include <regex.h>

#include "print/rows.h"
#include "profile/profile.h"

/**
 * enum row_key - attributes that the places of one row have in common
 * @ROW_FUNCTION: the function with the code; a row has its object, too
 * @ROW_OBJECT: the file
 * @ROW_LINE: the line of the source code; a row has its object, too
 * @ROW_ADDRESS: the address; a row has its object and function, too
 * @ROW_PROGRAM: the program that executed the code
 * @ROW_KEYS: number of keys
 */
enum row_key {
	ROW_FUNCTION,
	ROW_OBJECT,
	ROW_LINE,
	ROW_ADDRESS,
	ROW_PROGRAM,
	ROW_KEYS,
};

/* Words for the keys, in this order, ended by NULL */
extern const char *const profil_row_words[];

/**
 * struct row_choice - rows that the user asks for
 * @by: different keys, @nr_by elements
 * @nr_by: number of keys; none stands for ROW_FUNCTION
 * @object: rows of objects whose path matches; NULL: of all
 * @function: rows of functions whose name matches; NULL: of all
 * @printable: copies a name as printable text
 */
struct row_choice {
	enum row_key by[ROW_KEYS];
	int nr_by;
	const regex_t *object;
	const regex_t *function;
	char *(*printable)(const char *text);
};

/* Make sorted rows of the samples in @profile. */
void profil_profile_rows_read(struct rows *rows, const struct profile *profile,
			      const struct row_choice *choice);

/* Name of the code at @place that is in no function: [jit: PROGRAM], [outside] */
char *profil_place_name(const struct profile *profile,
			const struct profile_place *place);

#endif
