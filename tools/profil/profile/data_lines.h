/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DATA_LINES_H
#define PROFIL_DATA_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/data_file.h"

/* Lines of text in a file that gzip may have compressed, and their fields */
struct data_lines;

struct data_lines *profil_data_lines_open(int fd);
void profil_data_lines_close(struct data_lines *lines);

/*
 * Read the next line, without its end; valid until the next call. *@line is NULL
 * after the last. Errors: DATA_UNREADABLE, DATA_CUT, DATA_DAMAGED, DATA_LARGE,
 * and DATA_LINE for a byte of zero.
 */
enum data_error profil_data_lines_next(struct data_lines *lines, char **line);

/**
 * struct fields - the fields of a line that are left
 * @rest: the next field and those after it; NULL after the last
 * @separator: character between fields
 * @is_wrong: a field was missing or malformed
 */
struct fields {
	char *rest;
	char separator;
	bool is_wrong;
};

/* The fields of @line, separated by TAB. The line is changed. */
struct fields profil_fields_of(char *line);

/* All fields were taken. */
bool profil_fields_end(const struct fields *fields);

/* A string, with each %XX replaced by its byte; %00 is malformed. */
const char *profil_field_string(struct fields *fields);

/* A decimal number from 0 to @most */
uint64_t profil_field_number(struct fields *fields, uint64_t most);

/* A hexadecimal number after 0x */
uint64_t profil_field_address(struct fields *fields);

/* A number below @nr; the second function accepts - for PROFILE_NONE, too. */
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
