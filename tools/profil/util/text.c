// SPDX-License-Identifier: GPL-2.0-only
/* Printable text */
#include <langinfo.h>

#include "util/text.h"

/* Bytes of \xNN */
#define ESCAPED 4

char *profil_text_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "re");

	if (!file || !fgets(line, size, file))
		*line = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* By strtoull(3) the numbers of a profil.data were a tenth of the cost of a report. */
bool profil_text_number(const char *text, int base, uint64_t *number)
{
	const char *it = text;
	uint64_t sum = 0;
	int digit;

	for (; (digit = text_digit(*it)) >= 0; it++)
		if (digit >= base || __builtin_mul_overflow(sum, base, &sum) ||
		    __builtin_add_overflow(sum, digit, &sum))
			return false;
	if (it == text || *it)
		return false;
	*number = sum;
	return true;
}

bool profil_text_matches(const regex_t *regex, const char *text)
{
	return !regex || !regexec(regex, text, 0, NULL, 0);
}

const char *profil_text_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Byte that continues a character of UTF-8 */
static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Bytes of the character that begins with @byte; 0 if none does */
static size_t length_of(unsigned char byte)
{
	if (byte < 0x80)
		return 1;
	if (byte < 0xc2 || byte > 0xf4)
		return 0;
	return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/* Decode the character of @length bytes at @text; 0 if it is not UTF-8. */
static uint32_t decode(const char *text, size_t length)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code = (unsigned char)*text;

	if (length > 1)
		code &= 0x7f >> length;
	for (size_t i = 1; i < length; i++) {
		if (!is_continuation(text[i]))
			return 0;
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (code < lowest[length] || code > 0x10ffff ||
	    (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return code;
}

/*
 * Control characters, separators of lines, and characters that are invisible or
 * change the direction or form of others: categories Cc, Cf, Zl and Zp of
 * Unicode, fillers, and tags
 */
static const struct {
	uint32_t first;
	uint32_t last;
} unprintable[] = {
	{ 0x00, 0x1f },	      { 0x7f, 0x9f },	    { 0xad, 0xad },
	{ 0x34f, 0x34f },     { 0x600, 0x605 },	    { 0x61c, 0x61c },
	{ 0x6dd, 0x6dd },     { 0x70f, 0x70f },	    { 0x890, 0x891 },
	{ 0x8e2, 0x8e2 },     { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },
	{ 0x180b, 0x180f },   { 0x200b, 0x200f },   { 0x2028, 0x202e },
	{ 0x2060, 0x206f },   { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },
	{ 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb },
	{ 0x110bd, 0x110bd }, { 0x110cd, 0x110cd }, { 0x13430, 0x1343f },
	{ 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool is_printable(uint32_t code)
{
	const size_t nr = sizeof(unprintable) / sizeof(*unprintable);

	for (size_t i = 0; i < nr && code >= unprintable[i].first; i++)
		if (code <= unprintable[i].last)
			return false;
	return true;
}

/* Bytes of the printable character at @text; 0 if there is none */
static size_t printable_length(const char *text, bool is_utf8)
{
	size_t length = length_of(*text);

	if (!length || (length > 1 && !is_utf8))
		return 0;
	return is_printable(decode(text, length)) ? length : 0;
}

static char *printable(const char *text, bool is_utf8)
{
	char *copy = profil_grow(NULL, strlen(text) + 1, ESCAPED);
	char *to = copy;

	while (*text) {
		size_t length = printable_length(text, is_utf8);

		if (length) {
			memcpy(to, text, length);
			to += length;
			text += length;
		} else {
			to += sprintf(to, "\\x%02x", (unsigned char)*text++);
		}
	}
	*to = '\0';
	return copy;
}

static bool is_utf8_locale(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

const char *profil_text_sign(const char *utf8, const char *ascii)
{
	return is_utf8_locale() ? utf8 : ascii;
}

char *profil_text_printable(const char *text)
{
	return printable(text, is_utf8_locale());
}

void profil_text_print(FILE *out, const char *text)
{
	char *copy = profil_text_printable(text);

	fputs(copy, out);
	free(copy);
}

char *profil_text_utf8(const char *text)
{
	return printable(text, true);
}

size_t profil_text_width(const char *text)
{
	size_t width = 0;

	while (*text)
		width += !is_continuation(*text++);
	return width;
}

int profil_text_field(const char *text, size_t width)
{
	return (int)(width + strlen(text) - profil_text_width(text));
}

size_t profil_text_bytes(const char *text, size_t width)
{
	const char *at = text;

	while (*at && (width || is_continuation(*at)))
		width -= !is_continuation(*at++);
	return at - text;
}
