// SPDX-License-Identifier: GPL-2.0-only
/* The part of a line that fits on a terminal */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "top/clip.h"

#define ESCAPE 0x1b

/* Bytes of the colour at @line, or 0 */
static size_t colour_length(const char *line, size_t length)
{
	const char *end = *line == ESCAPE ? memchr(line, 'm', length) : NULL;

	return end ? end + 1 - line : 0;
}

/* Bytes of the character at @line, and its columns */
static size_t character_length(const char *line, size_t length, size_t *width)
{
	mbstate_t state = { 0 };
	wchar_t character;
	size_t bytes = mbrtowc(&character, line, length, &state);
	int columns;

	*width = 1;
	if (!bytes || bytes > length)
		return 1;
	columns = wcwidth(character);
	if (columns >= 0)
		*width = columns;
	return bytes;
}

size_t profil_clip(const char *line, size_t length, size_t columns)
{
	size_t at = 0;

	while (at < length) {
		size_t width = 0;
		size_t bytes = colour_length(line + at, length - at);

		if (!bytes)
			bytes = character_length(line + at, length - at,
						 &width);
		if (width > columns)
			break;
		columns -= width;
		at += bytes;
	}
	return at;
}

static bool is_sentence(const char *line)
{
	return isalpha((unsigned char)*line) || strchr("/[(", *line);
}

/* Bytes of the words that fit; a longer word is not divided. */
static size_t words_length(const char *line, size_t length, size_t columns)
{
	size_t fitting = profil_clip(line, length, columns);
	const char *space;

	if (fitting == length)
		return length;
	space = memrchr(line, ' ', fitting + 1);
	if (!space)
		space = memchr(line, ' ', length);
	return space ? (size_t)(space - line) : length;
}

static void wrap_line(FILE *out, const char *line, size_t length,
		      size_t columns)
{
	if (!is_sentence(line))
		columns = SIZE_MAX;
	do {
		size_t part = words_length(line, length, columns);

		fprintf(out, "%.*s\n", (int)part, line);
		part += part < length;
		line += part;
		length -= part;
	} while (length);
}

void profil_wrap(FILE *out, const char *text, size_t columns)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		wrap_line(out, text, length, columns ? columns : SIZE_MAX);
		text += length + 1;
	}
}
