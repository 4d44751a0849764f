// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a source file */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/source_text.h"
#include "util/array.h"
#include "util/memory.h"
#include "util/text.h"

/* Columns of a tab */
#define TAB 8

/* Read the file to its end; its size. The text has room for one byte more. */
static size_t read_text(struct source_text *source, int fd, size_t room)
{
	size_t size = 0;
	ssize_t got = 0;

	source->text = profil_grow(NULL, room + 1, 1);
	do {
		size += got;
		got = read(fd, source->text + size, room - size);
	} while (got > 0);
	return size;
}

/* A binary file, which has NUL bytes, has no lines. */
static void split(struct source_text *source, size_t size)
{
	char *rest = source->text;

	if (!size || memchr(source->text, '\0', size))
		return;
	source->text[size] = '\0';
	if (source->text[size - 1] == '\n')
		source->text[size - 1] = '\0';
	while (rest)
		ARRAY_ADD(source->lines, source->nr, strsep(&rest, "\n"));
}

enum source_error profil_source_text_read(struct source_text *source,
					  struct source_finder *finder,
					  const char *path, uint64_t built_ns)
{
	struct source_found found;
	enum source_error error;

	*source = (struct source_text){ 0 };
	error = profil_source_finder_open(finder, path, &found);
	if (error)
		return error;
	source->path = profil_copy_string(found.path);
	source->written_ns = found.status.st_mtim.tv_sec * 1000000000ULL +
			     found.status.st_mtim.tv_nsec;
	if (built_ns && source->written_ns > built_ns) {
		close(found.fd);
		return SOURCE_NEWER;
	}
	split(source, read_text(source, found.fd, found.status.st_size));
	close(found.fd);
	return SOURCE_READ;
}

void profil_source_text_free(struct source_text *source)
{
	free(source->path);
	free(source->text);
	free(source->lines);
	*source = (struct source_text){ 0 };
}

char *profil_source_text_line(const struct source_text *source, uint32_t number,
			      char *(*printable)(const char *text))
{
	const char *line;
	char *spaced, *copy;
	size_t at = 0;

	if (!number || number > source->nr)
		return NULL;
	line = source->lines[number - 1];
	spaced = profil_grow(NULL, strlen(line) + 1, TAB);
	for (; *line && *line != '\r'; line++) {
		if (*line != '\t') {
			spaced[at++] = *line;
			continue;
		}
		do
			spaced[at++] = ' ';
		while (at % TAB);
	}
	spaced[at] = '\0';
	copy = printable(spaced);
	free(spaced);
	return copy;
}
