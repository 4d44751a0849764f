// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a profil.data */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "profile/data_lines.h"
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
