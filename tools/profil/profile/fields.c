// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "profile/fields.h"
#include "profile/profile.h"

struct fields profil_fields_of(char *line)
{
	return (struct fields){ .rest = line, .separator = '\t' };
}

bool profil_fields_end(const struct fields *fields)
{
	return !fields->rest;
}

/* The next field as it is, ended by a zero */
static char *take(struct fields *fields)
{
	char *field = fields->rest, *end;

	if (!field) {
		fields->is_wrong = true;
		return "";
	}
	end = strchr(field, fields->separator);
	if (end)
		*end++ = '\0';
	fields->rest = end;
	return field;
}

/* Value of a digit in base 16, or -1 */
static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Value of two digits, or -1 */
static int byte_of(const char *text)
{
	int high = digit_of(text[0]);
	int low = high < 0 ? -1 : digit_of(text[1]);

	return low < 0 ? -1 : high * 16 + low;
}

const char *profil_field_string(struct fields *fields)
{
	char *field = take(fields), *to, *from;

	from = strchr(field, '%');
	if (!from)
		return field;
	for (to = from; *from; from++) {
		int byte = (unsigned char)*from;

		if (*from == '%') {
			byte = byte_of(from + 1);
			if (byte <= 0) {
				fields->is_wrong = true;
				return "";
			}
			from += 2;
		}
		*to++ = byte;
	}
	*to = '\0';
	return field;
}

/* All of @text is a number in @base; sets *@number. */
static bool is_number(const char *text, unsigned int base, uint64_t *number)
{
	*number = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		int digit = digit_of(*text);

		if (digit < 0 || digit >= (int)base ||
		    __builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, digit, number))
			return false;
	}
	return true;
}

uint64_t profil_field_number(struct fields *fields, uint64_t most)
{
	uint64_t number;

	if (is_number(take(fields), 10, &number) && number <= most)
		return number;
	fields->is_wrong = true;
	return 0;
}

uint64_t profil_field_address(struct fields *fields)
{
	const char *text = take(fields);
	uint64_t number;

	if (text[0] == '0' && text[1] == 'x' &&
	    is_number(text + 2, 16, &number))
		return number;
	fields->is_wrong = true;
	return 0;
}

uint32_t profil_field_index(struct fields *fields, uint32_t nr)
{
	if (nr)
		return profil_field_number(fields, nr - 1);
	take(fields);
	fields->is_wrong = true;
	return 0;
}

uint32_t profil_field_index_or_none(struct fields *fields, uint32_t nr)
{
	if (fields->rest && fields->rest[0] == '-' &&
	    (!fields->rest[1] || fields->rest[1] == fields->separator)) {
		take(fields);
		return PROFILE_NONE;
	}
	nr = profil_field_index(fields, nr);
	return fields->is_wrong ? PROFILE_NONE : nr;
}

int profil_field_word(struct fields *fields, const char *const *words)
{
	const char *text = take(fields);

	for (int i = 0; words[i]; i++)
		if (!strcmp(text, words[i]))
			return i;
	fields->is_wrong = true;
	return 0;
}

bool profil_fields_hex(const char *text, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		int byte = byte_of(text + 2 * i);

		if (byte < 0)
			return false;
		bytes[i] = byte;
	}
	return !text[2 * size];
}

uint32_t profil_field_hex(struct fields *fields, uint8_t *bytes, size_t room)
{
	const char *text = take(fields);
	size_t size = strlen(text) / 2;

	if (!strcmp(text, "-"))
		return 0;
	if (size <= room && profil_fields_hex(text, bytes, size))
		return size;
	fields->is_wrong = true;
	return 0;
}

struct fields profil_field_parts(struct fields *fields)
{
	bool is_wrong = fields->is_wrong;
	struct fields parts = { .rest = take(fields), .separator = ':' };

	parts.is_wrong = is_wrong || fields->is_wrong;
	return parts;
}
