/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_FACTS_H
#define PROFIL_HTML_FACTS_H

#include <stdio.h>

#include "html/hot.h"

/* Print the command, with spaces between its words. */
void profil_html_command(FILE *out, const struct profile_head *head);

/* Print the head of the page: the command, its times, what is missing. */
void profil_html_facts(FILE *out, const struct hot *hot);

#endif
