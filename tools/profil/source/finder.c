// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source files of a profile
 *
 * The path comes from a file that is not trusted, and the text may be passed on
 * with a page. So a file is opened only in a directory of the user's choice, or
 * if a program on this machine names it; and only if it is a regular file of a
 * bounded size.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/finder.h"
#include "util/memory.h"
#include "util/regular_file.h"

#define MAX_BYTES (64 << 20)

void profil_source_finder_begin(struct source_finder *finder,
				const struct profile *profile,
				const char *directory)
{
	finder->directory = directory;
	profil_witness_begin(&finder->witness, profile);
}

void profil_source_finder_end(struct source_finder *finder)
{
	profil_witness_end(&finder->witness);
}

static bool open_regular(struct source_found *found)
{
	found->fd = profil_regular_file_open(found->path);
	if (found->fd < 0)
		return false;
	if (!fstat(found->fd, &found->status) &&
	    found->status.st_size <= MAX_BYTES)
		return true;
	close(found->fd);
	return false;
}

/* @path without parts "." and "..", to be freed; it does not begin with a /. */
static char *plain_path(const char *path)
{
	char *plain = profil_grow(NULL, strlen(path) + 2, 1);
	size_t end = 0;

	while (*(path += strspn(path, "/"))) {
		size_t length = strcspn(path, "/");

		if (length == 2 && !memcmp(path, "..", 2)) {
			while (end && plain[--end] != '/')
				;
		} else if (length != 1 || *path != '.') {
			if (end)
				plain[end++] = '/';
			memcpy(plain + end, path, length);
			end += length;
		}
		path += length;
	}
	plain[end] = '\0';
	return plain;
}

/* Open @path below @directory, without as many leading parts as are needed. */
static bool open_below(const char *directory, const char *path,
		       struct source_found *found)
{
	char *plain = plain_path(path);
	const char *rest = *plain ? plain : NULL;
	bool is_open = false;

	while (!is_open && rest) {
		rest += strspn(rest, "/");
		is_open = snprintf(found->path, PATH_MAX, "%s/%s", directory,
				   rest) < PATH_MAX &&
			  open_regular(found);
		rest = strchr(rest, '/');
	}
	free(plain);
	return is_open;
}

static bool open_named(const struct source_finder *finder, const char *path,
		       struct source_found *found)
{
	if (snprintf(found->path, PATH_MAX, "%s", path) < PATH_MAX &&
	    open_regular(found))
		return true;
	return !finder->directory && open_below(".", path, found);
}

enum source_error profil_source_finder_open(struct source_finder *finder,
					    const char *path,
					    struct source_found *found)
{
	if (!*path)
		return SOURCE_MISSING;
	if (finder->directory && open_below(finder->directory, path, found))
		return SOURCE_READ;
	if (!profil_witness_names(&finder->witness, path))
		return SOURCE_FOREIGN;
	return open_named(finder, path, found) ? SOURCE_READ : SOURCE_MISSING;
}
