/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_SOURCE_H
#define PROFIL_HTML_SOURCE_H

#include <stdio.h>

#include "html/hot.h"
#include "source/finder.h"

/* Mark the rows of functions whose source is printed. */
void profil_html_choose_source(struct hot *hot);

/* Print the source of the marked functions, with the samples of each line. */
void profil_html_source(FILE *out, const struct hot *hot,
			struct source_finder *finder);

#endif
