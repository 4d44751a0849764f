/* SPDX-License-Identifier: GPL-2.0-only */
/* Names from files and command lines, as text for a terminal, and the line of a file */
#ifndef PROFIL_TEXT_H
#define PROFIL_TEXT_H

#include <regex.h>

#include "util/base.h"

/* Store the first line of @path without its end, and return it; "" if there is none. */
char *profil_text_line(const char *path, char *line, int size);

/* @text matches @regex, or @regex is NULL. */
bool profil_text_matches(const regex_t *regex, const char *text);

/* Last component of @path */
const char *profil_text_base(const char *path);

/* @utf8 if the locale has UTF-8, otherwise @ascii */
const char *profil_text_sign(const char *utf8, const char *ascii);

/*
 * Copy @text with each byte that is not printable as \xNN. Printable are ASCII
 * and, in a UTF-8 locale, all of UTF-8 but control characters and marks that
 * change the direction of the text around them.
 */
char *profil_text_printable(const char *text);

/* Print @text so. */
void profil_text_print(FILE *out, const char *text);

/* As profil_text_printable(), for a file in UTF-8, in any locale */
char *profil_text_utf8(const char *text);

/* Value of a digit to the base of 16 or less, in small letters, or -1 */
static inline int text_digit(char c)
{
	unsigned int digit = (unsigned char)c - '0';
	unsigned int letter = (unsigned char)c - 'a';

	if (digit < 10)
		return digit;
	return letter < 6 ? (int)letter + 10 : -1;
}

/*
 * Store the number that is the whole of @text, in digits of @base, of which letters are
 * small. False if it is none, or has more than 64 bits.
 */
bool profil_text_number(const char *text, int base, uint64_t *number);

/* End of a noun whose plural has an s, after @number */
static inline const char *plural(uint64_t number)
{
	return number == 1 ? "" : "s";
}

/* Characters of the printable @text */
size_t profil_text_width(const char *text);

/* The width of a field of printf(), which is in bytes, for @width characters */
int profil_text_field(const char *text, size_t width);

/* Bytes of the first @width characters of the printable @text */
size_t profil_text_bytes(const char *text, size_t width);

#endif
