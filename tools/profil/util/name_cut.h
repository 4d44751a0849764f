/* SPDX-License-Identifier: GPL-2.0-only */
/* A name of a function, cut to some width */
#ifndef PROFIL_NAME_CUT_H
#define PROFIL_NAME_CUT_H

#include "util/base.h"

/**
 * struct name_cut - a name that is cut
 * @text: the name, without what is folded
 * @width: characters that are left, as many as those of @dots at least
 * @dots: an ellipsis
 * @mark: bytes that other names begin with, too, or 0
 * @has_shown: @text has parts that are shown since they differ
 */
struct name_cut {
	const char *text;
	size_t width;
	const char *dots;
	size_t mark;
	bool has_shown;
};

/* Copy of the name with its last components, what is behind @mark, or its beginning */
char *profil_name_cut(const struct name_cut *cut);

#endif
