/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DATA_LINES_H
#define PROFIL_DATA_LINES_H

#include <zlib.h>

#include "profile/data_file.h"

/**
 * struct data_lines - a file whose lines are read
 * @gz: the stream; zlib reads text that is not compressed, too
 * @text: the present line
 * @room: bytes of @text
 * @all: bytes read so far
 * @line: number of the present line, from 1
 * @wrong: the sentence for the user after an error, or ""
 */
struct data_lines {
	gzFile gz;
	char *text;
	size_t room;
	uint64_t all;
	uint64_t line;
	char wrong[DATA_ERROR_TEXT];
};

void profil_data_lines_begin(struct data_lines *lines, int fd);
void profil_data_lines_end(struct data_lines *lines);

/* The next line, without its end; valid until the next call. NULL after the last. */
char *profil_data_lines_next(struct data_lines *lines);

/* Set the sentence, unless there is one. */
void profil_data_refuse(struct data_lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Refuse the present line, or the file as one of another kind. */
void profil_data_refuse_line(struct data_lines *lines);
void profil_data_refuse_kind(struct data_lines *lines);

/**
 * struct fields - the fields of a line that are left; the line is changed
 * @rest: the next field and those after it; NULL after the last
 * @separator: character between fields
 * @is_wrong: a field was missing or malformed
 */
struct fields {
	char *rest;
	char separator;
	bool is_wrong;
};

/* A string, with each %XX replaced by its byte; %00 is malformed. */
const char *profil_field_string(struct fields *fields);

/* A decimal number from 0 to @most */
uint64_t profil_field_number(struct fields *fields, uint64_t most);

/* A hexadecimal number after 0x */
uint64_t profil_field_address(struct fields *fields);

/* A number below @nr; the second function accepts - for PROFILE_NONE, the one after errors. */
uint32_t profil_field_index(struct fields *fields, uint32_t nr);
uint32_t profil_field_index_or_none(struct fields *fields, uint32_t nr);

/* Index of the field in @words, which NULL ends */
int profil_field_word(struct fields *fields, const char *const *words);

/* Up to @room bytes in hexadecimal, or - for none; the number of bytes */
uint32_t profil_field_hex(struct fields *fields, uint8_t *bytes, size_t room);

/* Convert @size bytes; false if @text contains anything else. */
bool profil_fields_hex(const char *text, uint8_t *bytes, size_t size);

/* A field of parts, separated by : */
struct fields profil_field_parts(struct fields *fields);

#endif
