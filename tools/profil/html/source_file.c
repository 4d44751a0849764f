// SPDX-License-Identifier: GPL-2.0-only
/* Source file, as lines */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "html/source_file.h"
#include "util/memory.h"

/* Bytes of the largest file that is read */
#define MAX_SIZE (16 << 20)

/* A FIFO is opened without waiting for a writer, and not read. */
static int open_file(const char *path, struct stat *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0 && (fstat(fd, status) || !S_ISREG(status->st_mode) ||
			status->st_size > MAX_SIZE)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static size_t read_all(int fd, char *text, size_t size)
{
	size_t at = 0;
	ssize_t got;

	while (at < size && (got = read(fd, text + at, size - at)) > 0)
		at += got;
	return at;
}

/* A binary file has NUL bytes. */
static void split(struct source_file *file, size_t size)
{
	char *rest = file->text;

	if (!size || memchr(file->text, '\0', size))
		return;
	file->text[size] = '\0';
	if (file->text[size - 1] == '\n')
		file->text[size - 1] = '\0';
	while (rest) {
		if (!(file->nr & (file->nr - 1)))
			file->lines = profil_grow(file->lines, 2 * file->nr + 1,
						  sizeof(*file->lines));
		file->lines[file->nr++] = strsep(&rest, "\n");
	}
}

static bool is_newer(const struct stat *status, uint64_t end_ns)
{
	return (uint64_t)status->st_mtim.tv_sec > end_ns / 1000000000 + 1;
}

void profil_source_file_read(struct source_file *file, const char *path,
			     uint64_t end_ns)
{
	struct stat status;
	int fd = open_file(path, &status);

	*file = (struct source_file){ 0 };
	if (fd < 0)
		return;
	file->is_newer = end_ns && is_newer(&status, end_ns);
	file->text = profil_grow(NULL, status.st_size + 1, 1);
	split(file, read_all(fd, file->text, status.st_size));
	close(fd);
}

void profil_source_file_free(struct source_file *file)
{
	free(file->text);
	free(file->lines);
	*file = (struct source_file){ 0 };
}
