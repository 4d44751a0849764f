/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function on the screen, in place of the table: its source lines, or its callers and
 * what it calls
 *
 * Each profile has functions of its own, so the function is known by its object and
 * its name.
 */
#ifndef PROFIL_TOP_FUNCTION_H
#define PROFIL_TOP_FUNCTION_H

#include "profile/profile.h"

/*
 * A function, by its name and its object
 * @source: directory with the source files, or NULL
 * @is_calls: callers and what the function calls are shown, not its lines
 * @columns: of the screen; 0 for no limit
 * @text: heading and lines, or a sentence
 * @first: index of the first line below the heading that is shown
 * @centre: index of the line of the function among those, or 0
 * @is_placed: the first page was shown, with @centre in the middle
 */
struct top_function {
	const char *source;
	bool is_open;
	bool is_calls;
	enum profile_kind kind;
	char *path;
	char *name;
	bool all;
	size_t columns;
	char *text;
	size_t first;
	size_t centre;
	bool is_placed;
};

/*
 * Show the function of @place, which has one, on a screen of @columns: @is_calls as of
 * struct top_function.
 */
void profil_top_function_open(struct top_function *shown,
			      const struct profile *profile,
			      const struct profile_place *place, size_t columns,
			      bool is_calls);
void profil_top_function_close(struct top_function *shown);

/* Show the lines of the function in place of its calls. */
void profil_top_function_annotate(struct top_function *shown,
				  const struct profile *profile);

/* Make the text of a function that is open from @profile. */
void profil_top_function_read(struct top_function *shown,
			      const struct profile *profile);

/* Show @lines further lines, or earlier ones if negative. */
void profil_top_function_scroll(struct top_function *shown, long lines);

/* Print the heading, and as many of the lines as fit in @lines with the heading. */
void profil_top_function_print(FILE *out, struct top_function *shown,
			       size_t lines);

#endif
