/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_HTML_ESCAPE_H
#define PROFIL_HTML_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Characters of a name on the page; a longer one is cut. */
#define HTML_NAME 300

/*
 * Print @text for an element or a quoted attribute. Bytes that are not printable
 * are shown as \xNN; after @width characters the text is cut.
 */
void profil_html_text(FILE *out, const char *text, size_t width);

/* As profil_html_text(), with HTML_NAME characters */
void profil_html_name(FILE *out, const char *name);

#endif
