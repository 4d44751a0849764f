/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of the command line as values */
#ifndef PROFIL_VALUE_H
#define PROFIL_VALUE_H

#include "util/base.h"

struct option_row;

/* Upper limit of words in a list */
#define VALUE_CHOICES 8

/*
 * Words of a list, in the order given, as indices of the words that are allowed; none if
 * the option was not given
 */
struct value_choices {
	int nr;
	int at[VALUE_CHOICES];
};

/*
 * @known if it is near to @word, and nearer than @found, which may be NULL; otherwise
 * @found. A difference is a letter more, less or changed, or two letters exchanged;
 * about one for each three letters of @known is near. Words of less than three
 * letters are near to no other.
 */
const char *profil_nearer(const char *word, const char *found,
			  const char *known);

/*
 * Store @text in @member, of a kind from OPTION_NUMBER to OPTION_CHOICES. False, and
 * nothing is changed, if the whole of it is not such a value.
 */
bool profil_value_store(const struct option_row *row, const char *text,
			void *member);

#endif
