// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a profil.data, and their fields */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "profile/data_lines.h"
#include "profile/profile.h"
#include "util/memory.h"

/**
 * struct data_lines - a file whose lines are read
 * @gz: the stream; zlib reads text that is not compressed, too
 * @error: the stream could not be opened
 * @text: buffer
 * @room: bytes of @text
 * @start: beginning of the next line in @text
 * @held: bytes in @text
 * @all: bytes read so far
 */
struct data_lines {
	gzFile gz;
	int error;
	char *text;
	size_t room;
	size_t start;
	size_t held;
	uint64_t all;
};

struct data_lines *profil_data_lines_open(int fd)
{
	struct data_lines *lines = profil_grow(NULL, 1, sizeof(*lines));
	int copy = dup(fd);

	*lines = (struct data_lines){ .room = 65536 };
	lines->text = profil_grow(NULL, lines->room, 1);
	if (copy >= 0)
		lines->gz = gzdopen(copy, "rb");
	if (!lines->gz) {
		lines->error = copy < 0 ? errno : ENOMEM;
		if (copy >= 0)
			close(copy);
		return lines;
	}
	gzbuffer(lines->gz, 65536);
	return lines;
}

void profil_data_lines_close(struct data_lines *lines)
{
	if (lines->gz)
		gzclose_r(lines->gz);
	free(lines->text);
	free(lines);
}

/* zlib's number for the error of a read */
static enum data_error error_of(struct data_lines *lines)
{
	int number;

	gzerror(lines->gz, &number);
	if (number == Z_ERRNO)
		return DATA_UNREADABLE;
	return number == Z_BUF_ERROR ? DATA_CUT : DATA_DAMAGED;
}

/* Move what is left to the front, and make room if that is all of the buffer. */
static void make_room(struct data_lines *lines)
{
	memmove(lines->text, lines->text + lines->start,
		lines->held - lines->start);
	lines->held -= lines->start;
	lines->start = 0;
	if (lines->held == lines->room) {
		lines->room *= 2;
		lines->text = profil_grow(lines->text, lines->room, 1);
	}
}

/* Read more; *@got is 0 at the end. */
static enum data_error fill(struct data_lines *lines, size_t *got)
{
	int size;

	make_room(lines);
	size = gzread(lines->gz, lines->text + lines->held,
		      lines->room - lines->held);
	if (size < 0)
		return error_of(lines);
	*got = size;
	lines->held += size;
	lines->all += size;
	if (lines->all > (uint64_t)DATA_MAX_MIB << 20)
		return DATA_LARGE;
	if (size)
		return DATA_OK;
	gzerror(lines->gz, &size);
	return size == Z_BUF_ERROR ? DATA_CUT : DATA_OK;
}

enum data_error profil_data_lines_next(struct data_lines *lines, char **line)
{
	size_t looked = 0, got;
	enum data_error error;
	char *end;

	if (!lines->gz) {
		errno = lines->error;
		return DATA_UNREADABLE;
	}
	*line = NULL;
	while (!(end = memchr(lines->text + lines->start + looked, '\n',
			      lines->held - lines->start - looked))) {
		looked = lines->held - lines->start;
		error = fill(lines, &got);
		if (error)
			return error;
		if (!got)
			return looked ? DATA_CUT : DATA_OK;
	}
	*end = '\0';
	*line = lines->text + lines->start;
	lines->start = end + 1 - lines->text;
	return strlen(*line) == (size_t)(end - *line) ? DATA_OK : DATA_LINE;
}

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
