// SPDX-License-Identifier: GPL-2.0-only
/* Source file, as lines */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "html/source_file.h"
#include "util/memory.h"

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

void profil_source_file_read(struct source_file *file,
			     struct source_finder *finder, const char *path,
			     uint64_t end_ns)
{
	struct source_found found;

	*file = (struct source_file){ 0 };
	file->error = profil_source_finder_open(finder, path, &found);
	if (file->error)
		return;
	file->is_newer = end_ns && is_newer(&found.status, end_ns);
	file->text = profil_grow(NULL, found.status.st_size + 1, 1);
	split(file, read_all(found.fd, file->text, found.status.st_size));
	close(found.fd);
}

void profil_source_file_free(struct source_file *file)
{
	free(file->text);
	free(file->lines);
	*file = (struct source_file){ 0 };
}
