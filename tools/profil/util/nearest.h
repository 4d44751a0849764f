/* SPDX-License-Identifier: GPL-2.0-only */
/* A known word that is nearly a given one */
#ifndef PROFIL_NEAREST_H
#define PROFIL_NEAREST_H

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
