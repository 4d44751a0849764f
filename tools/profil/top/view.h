/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An annotated function on the screen, in place of the table
 *
 * Each profile has functions of its own, so the function is known by its object and
 * its name.
 */
#ifndef PROFIL_TOP_VIEW_H
#define PROFIL_TOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "profile/profile.h"

/**
 * struct view - an annotated function
 * @source: directory with the source files, or NULL
 * @is_open: the view is shown
 * @kind: kind of the function's object
 * @path: path of the object
 * @name: name of the function
 * @all: show all instructions
 * @columns: of the screen; 0 for no limit
 * @text: heading and lines, or a sentence
 * @nr: lines of @text below the heading
 * @first: index of the first of these that is shown
 */
struct view {
	const char *source;
	bool is_open;
	enum profile_kind kind;
	char *path;
	char *name;
	bool all;
	size_t columns;
	char *text;
	size_t nr;
	size_t first;
};

/* Show the function of @place, which has one, on a screen of @columns. */
void profil_view_open(struct view *view, const struct profile *profile,
		      const struct profile_place *place, size_t columns);
void profil_view_close(struct view *view);

/* Make the text of a view that is open from @profile. */
void profil_view_read(struct view *view, const struct profile *profile);

/* Show @lines further lines, or earlier ones if negative. */
void profil_view_scroll(struct view *view, long lines);

/* Print the heading, and as many of the lines as fit in @lines with the heading. */
void profil_view_print(FILE *out, struct view *view, size_t lines);

#endif
