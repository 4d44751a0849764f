// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a profil.data, and their fields */
#include <stdarg.h>

#include "profile/data_lines.h"
#include "util/text.h"

static const char is_damaged[] =
	"malformed profil.data: the compressed text is damaged";

static const char ends_early[] = "malformed profil.data: the file ends early";

static const char is_large[] =
	"malformed profil.data: more than 256 MiB of text";

static const char cannot_be_read[] = "cannot be read: %s";

/* Bytes of a buffer at first */
#define ROOM 65536

void profil_data_lines_begin(struct data_lines *lines, int fd)
{
	int copy = dup(fd);

	*lines = (struct data_lines){ .room = ROOM };
	if (copy >= 0)
		lines->gz = gzdopen(copy, "rb");
	if (lines->gz) {
		lines->text = profil_grow(NULL, lines->room, 1);
		gzbuffer(lines->gz, ROOM);
		return;
	}
	profil_data_refuse(lines, cannot_be_read, strerror(errno));
	if (copy >= 0)
		close(copy);
}

void profil_data_lines_end(struct data_lines *lines)
{
	if (lines->gz)
		gzclose_r(lines->gz);
	free(lines->text);
}

void profil_data_refuse(struct data_lines *lines, const char *format, ...)
{
	va_list arguments;

	if (*lines->wrong)
		return;
	va_start(arguments, format);
	vsnprintf(lines->wrong, sizeof(lines->wrong), format, arguments);
	va_end(arguments);
}

void profil_data_refuse_line(struct data_lines *lines)
{
	profil_data_refuse(lines, "malformed profil.data: line %llu",
			   (unsigned long long)lines->line);
}

void profil_data_refuse_kind(struct data_lines *lines)
{
	profil_data_refuse(lines, "not a profil.data file");
}

/* No line could be read; @is_begun: a part of one was. */
static void refuse_end(struct data_lines *lines, bool is_begun)
{
	int error;

	gzerror(lines->gz, &error);
	if (error == Z_MEM_ERROR)
		profil_memory_exhausted();
	if (error == Z_ERRNO)
		profil_data_refuse(lines, cannot_be_read, strerror(errno));
	else if (error && error != Z_BUF_ERROR)
		profil_data_refuse(lines, is_damaged);
	else if (error || (is_begun && gzeof(lines->gz)))
		profil_data_refuse(lines, ends_early);
	else if (is_begun && lines->line == 1)
		profil_data_refuse_kind(lines);
	else if (is_begun)
		profil_data_refuse_line(lines);
}

/* Read a line with its end, fewer bytes if one is zero. False if there is none. */
static bool read_line(struct data_lines *lines, size_t *held)
{
	bool is_begun = false;

	*held = 0;
	while (gzgets(lines->gz, lines->text + *held, lines->room - *held)) {
		size_t read = strlen(lines->text + *held);

		is_begun = true;
		*held += read;
		lines->all += read;
		if (lines->all > (uint64_t)DATA_MAX_MIB << 20)
			profil_data_refuse(lines, is_large);
		if (*held < lines->room - 1 || lines->text[*held - 1] == '\n')
			break;
		lines->room *= 2;
		lines->text = profil_grow(lines->text, lines->room, 1);
	}
	return is_begun;
}

char *profil_data_lines_next(struct data_lines *lines)
{
	bool is_begun;
	size_t held;

	if (*lines->wrong)
		return NULL;
	is_begun = read_line(lines, &held);
	lines->line += is_begun;
	if (held && lines->text[held - 1] == '\n')
		lines->text[held - 1] = '\0';
	else
		refuse_end(lines, is_begun);
	return is_begun && !*lines->wrong ? lines->text : NULL;
}

/* The next field as it is, ended by a zero */
static char *take_field(struct fields *fields)
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

/* Value of two digits, or -1 */
static int byte_of(const char *text)
{
	int high = text_digit(text[0]);
	int low = high < 0 ? -1 : text_digit(text[1]);

	return low < 0 ? -1 : high * 16 + low;
}

const char *profil_field_string(struct fields *fields)
{
	char *field = take_field(fields), *to, *from;

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

uint64_t profil_field_number(struct fields *fields, uint64_t most)
{
	uint64_t number;

	if (profil_text_number(take_field(fields), 10, &number) &&
	    number <= most)
		return number;
	fields->is_wrong = true;
	return 0;
}

uint64_t profil_field_address(struct fields *fields)
{
	const char *text = take_field(fields);
	uint64_t number;

	if (text[0] == '0' && text[1] == 'x' &&
	    profil_text_number(text + 2, 16, &number))
		return number;
	fields->is_wrong = true;
	return 0;
}

uint32_t profil_field_index_or_none(struct fields *fields, uint32_t nr)
{
	const char *text = take_field(fields);
	uint64_t number;

	if (profil_text_number(text, 10, &number) && number < nr)
		return number;
	fields->is_wrong |= strcmp(text, "-");
	return PROFILE_NONE;
}

uint32_t profil_field_index(struct fields *fields, uint32_t nr)
{
	uint32_t index = profil_field_index_or_none(fields, nr);

	fields->is_wrong |= index == PROFILE_NONE;
	return index;
}

int profil_field_word(struct fields *fields, const char *const *words)
{
	const char *text = take_field(fields);

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
	const char *text = take_field(fields);
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
	struct fields parts = { .rest = take_field(fields), .separator = ':' };

	parts.is_wrong = is_wrong || fields->is_wrong;
	return parts;
}
