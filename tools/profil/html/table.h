/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_TABLE_H
#define PROFIL_HTML_TABLE_H

#include <stdio.h>

#include "html/hot.h"

/* Print the table of functions; the script sorts and filters its rows. */
void profil_html_functions(FILE *out, const struct hot *hot);

/* Print the table of programs, if there are several. */
void profil_html_programs(FILE *out, const struct hot *hot);

#endif
