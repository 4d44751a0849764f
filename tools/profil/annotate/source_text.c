// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of a source file
 *
 * The path comes from a file that is not trusted: only regular files of a
 * bounded size are read.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/source_text.h"
#include "util/memory.h"
#include "util/text.h"

#define MAX_BYTES (64 << 20)

/* Columns of a tab */
#define TAB 8

static int open_regular(const char *path, struct stat *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -1;
	if (!fstat(fd, status) && S_ISREG(status->st_mode) &&
	    status->st_size <= MAX_BYTES)
		return fd;
	close(fd);
	return -1;
}

/*
 * Open @path below @directory, without as many of its leading parts as are
 * needed. The name of the file that was found is stored in @found.
 */
static int open_below(const char *directory, const char *path, char *found,
		      struct stat *status)
{
	int fd = -1;

	while (fd < 0 && path) {
		path += strspn(path, "/");
		if (snprintf(found, PATH_MAX, "%s/%s", directory, path) <
		    PATH_MAX)
			fd = open_regular(found, status);
		path = strchr(path, '/');
	}
	return fd;
}

static int find(const char *path, const char *directory, char *found,
		struct stat *status)
{
	int fd = -1;

	if (!*path)
		return -1;
	if (directory)
		fd = open_below(directory, path, found, status);
	if (fd < 0 && snprintf(found, PATH_MAX, "%s", path) < PATH_MAX)
		fd = open_regular(found, status);
	if (fd < 0 && !directory)
		fd = open_below(".", path, found, status);
	return fd;
}

static void read_text(struct source_text *source, int fd, size_t room)
{
	size_t size = 0;
	ssize_t got = 0;

	source->text = profil_grow(NULL, room + 2, 1);
	do {
		size += got;
		got = read(fd, source->text + size, room - size);
	} while (got > 0);
	source->text[size] = '\n';
	source->text[size + 1] = '\0';
}

static void add_line(struct source_text *source, size_t offset)
{
	if (!(source->nr & (source->nr - 1)))
		source->lines = profil_grow(source->lines,
					    source->nr ? 2 * source->nr : 1,
					    sizeof(*source->lines));
	source->lines[source->nr++] = offset;
}

static void split(struct source_text *source)
{
	char *line = source->text;

	while (*line) {
		size_t length = strcspn(line, "\n");

		add_line(source, line - source->text);
		if (!line[length])
			break;
		line[length] = '\0';
		line += length + 1;
	}
}

static bool is_newer(const struct stat *status, uint64_t built_ns)
{
	uint64_t written_ns = status->st_mtim.tv_sec * 1000000000ULL +
			      status->st_mtim.tv_nsec;

	return built_ns && written_ns > built_ns;
}

enum source_error profil_source_text_read(struct source_text *source,
					  const char *path,
					  const char *directory,
					  uint64_t built_ns)
{
	char found[PATH_MAX];
	struct stat status;
	int fd = find(path, directory, found, &status);

	*source = (struct source_text){ 0 };
	if (fd < 0)
		return SOURCE_MISSING;
	source->path = profil_copy_string(found);
	if (is_newer(&status, built_ns)) {
		close(fd);
		return SOURCE_NEWER;
	}
	read_text(source, fd, status.st_size);
	close(fd);
	split(source);
	return SOURCE_READ;
}

void profil_source_text_free(struct source_text *source)
{
	free(source->path);
	free(source->text);
	free(source->lines);
	*source = (struct source_text){ 0 };
}

char *profil_source_text_line(const struct source_text *source, uint32_t number)
{
	const char *line;
	char *spaced, *printable;
	size_t at = 0;

	if (!number || number > source->nr)
		return NULL;
	line = source->text + source->lines[number - 1];
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
	printable = profil_text_printable(spaced);
	free(spaced);
	return printable;
}
