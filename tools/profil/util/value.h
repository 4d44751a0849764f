/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of the command line as values
 *
 * Each function returns false, and changes nothing, if the whole of @text is not
 * such a value.
 */
#ifndef PROFIL_UTIL_VALUE_H
#define PROFIL_UTIL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* Upper limit of words in a list */
#define VALUE_CHOICES 8

/**
 * struct value_choices - words of a list, in the order given
 * @nr: number of words; 0 if the option was not given
 * @at: index of each in the words that are allowed
 */
struct value_choices {
	int nr;
	int at[VALUE_CHOICES];
};

/* A decimal number of at least @least and at most @most */
bool profil_value_number(const char *text, long least, long most, long *number);

/* A share of 0 to 100, with or without a percent sign */
bool profil_value_percent(const char *text, double *percent);

/*
 * A duration above 0 in nanoseconds: a decimal fraction with one of the units
 * ms, s, m and h. Seconds need no unit.
 */
bool profil_value_duration(const char *text, uint64_t *nanoseconds);

/* One of @words, which NULL ends */
bool profil_value_choice(const char *text, const char *const *words, int *at);

/* Different words of @words with commas between */
bool profil_value_choices(const char *text, const char *const *words,
			  struct value_choices *choices);

/**
 * struct nearest - search among words
 * @word: the given word
 * @found: word with the fewest differences from @word so far, or NULL
 * @distance: number of these differences
 */
struct nearest {
	const char *word;
	const char *found;
	int distance;
};

void profil_nearest_begin(struct nearest *nearest, const char *word);

/*
 * Compare @known. A difference is a letter more, less or changed, or two letters
 * exchanged; about one for each three letters of @known is near. Words of less
 * than three letters are near to no other.
 */
void profil_nearest_compare(struct nearest *nearest, const char *known);

#endif
