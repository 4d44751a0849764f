/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_TOP_CLIP_H
#define PROFIL_TOP_CLIP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Bytes of the @length bytes of @line that fit in @columns of a terminal. Colours,
 * control sequences that end with m, take no column.
 */
size_t profil_clip(const char *line, size_t length, size_t columns);

/*
 * Print @text, whose lines end with a newline. A sentence that does not fit in @columns,
 * 0 for no limit, continues on further lines; rows of a table, which begin with a
 * space, a number or a colour, do not.
 */
void profil_wrap(FILE *out, const char *text, size_t columns);

#endif
