/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_MAP_H
#define PROFIL_HTML_MAP_H

#include <stdio.h>

#include "html/hot.h"

/* Print the strips of the objects with the most samples, and their legend. */
void profil_html_map(FILE *out, const struct hot *hot);

#endif
