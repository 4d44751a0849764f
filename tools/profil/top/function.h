/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An annotated function on the screen, in place of the table
 *
 * Each profile has functions of its own, so the function is known by its object and
 * its name.
 */
#ifndef PROFIL_TOP_FUNCTION_H
#define PROFIL_TOP_FUNCTION_H

#include "profile/profile.h"

/*
 * An annotated function, by its name and its object
 * @source: directory with the source files, or NULL
 * @columns: of the screen; 0 for no limit
 * @text: heading and lines, or a sentence
 * @first: index of the first line below the heading that is shown
 */
struct top_function {
	const char *source;
	bool is_open;
	enum profile_kind kind;
	char *path;
	char *name;
	bool all;
	size_t columns;
	char *text;
	size_t first;
};

/* Show the function of @place, which has one, on a screen of @columns. */
void profil_top_function_open(struct top_function *shown,
			      const struct profile *profile,
			      const struct profile_place *place,
			      size_t columns);
void profil_top_function_close(struct top_function *shown);

/* Make the text of a function that is open from @profile. */
void profil_top_function_read(struct top_function *shown,
			      const struct profile *profile);

/* Show @lines further lines, or earlier ones if negative. */
void profil_top_function_scroll(struct top_function *shown, long lines);

/* Print the heading, and as many of the lines as fit in @lines with the heading. */
void profil_top_function_print(FILE *out, struct top_function *shown,
			       size_t lines);

#endif
