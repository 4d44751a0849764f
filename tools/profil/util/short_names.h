/* SPDX-License-Identifier: GPL-2.0-only */
/* Short names of functions, which differ where the names do */
#ifndef PROFIL_SHORT_NAMES_H
#define PROFIL_SHORT_NAMES_H

#include "util/base.h"

/*
 * Replace the printable @names that are longer than @width, 3 characters or more: without
 * the type of the result, then without parameters, then with dots for the arguments of
 * templates, then without the first components, and at last cut. Names that would be
 * equal have the parts that differ. @dots: an ellipsis
 */
void profil_short_names(char **names, size_t nr, size_t width,
			const char *dots);

/* A copy of one @name, so shortened, with the ellipsis of the locale */
char *profil_short_name(const char *name, size_t width);

#endif
