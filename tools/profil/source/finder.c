// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source files of a profile
 *
 * The path comes from a file that is not trusted, and the text may be passed on
 * with a page. So a file is opened only in a directory of the user's choice, or
 * if a program on this machine names it; and only if it is a regular file of a
 * bounded size. A link in place of a file of the sources, or of a directory on the
 * way, may lead to a file that only this user can read: links are those of the user,
 * of root, or of the owner of the file.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resolve/resolve.h"
#include "source/finder.h"
#include "util/memory.h"
#include "util/regular_file.h"

/*
 * Programs that confirm the source files of a profile
 *
 * A profile from elsewhere may name any file of this machine. A source file is
 * also named by the debugging information of the program.
 */

/* Places of a source file that are looked up */
#define MAX_PLACES 16

static void witness_begin(struct witness *witness,
			  const struct profile *profile)
{
	*witness = (struct witness){
		.profile = profile,
		.object = PROFILE_NONE,
	};
}

static void witness_end(struct witness *witness)
{
	profil_units_end(&witness->units);
	if (witness->symbols)
		profil_symbols_close(witness->symbols);
	witness->symbols = NULL;
	witness->object = PROFILE_NONE;
}

/* A relative path is that of a file beside a profile from elsewhere. */
static struct symbols *open_file(const struct profile_object *object)
{
	return *object->path == '/' ? profil_recorded_file_open(object) : NULL;
}

static void open_object(struct witness *witness, uint32_t object)
{
	if (witness->object == object)
		return;
	witness_end(witness);
	witness->object = object;
	witness->symbols = open_file(&witness->profile->objects[object]);
	profil_units_begin(&witness->units, witness->symbols, &witness->bias);
}

static bool is_listed(Dwarf_Die *unit, const char *file)
{
	Dwarf_Files *files;
	size_t nr;

	if (dwarf_getsrcfiles(unit, &files, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (path && !strcmp(path, file))
			return true;
	}
	return false;
}

static bool confirms(struct witness *witness, const struct profile_place *place,
		     const char *file)
{
	Dwarf_Die unit, full;

	open_object(witness, place->object);
	if (!profil_units_find(&witness->units, place->address + witness->bias,
			       &unit))
		return false;
	profil_units_full(&witness->units, &unit, &full);
	return is_listed(&unit, file) ||
	       (full.addr != unit.addr && is_listed(&full, file));
}

/* Strings of a profile are unique. */
static bool has_file(const struct profile *profile,
		     const struct profile_place *place, const char *file)
{
	for (uint32_t i = 0; i < place->nr_frames; i++)
		if (profile->frames[place->frames + i].file == file)
			return true;
	return false;
}

/*
 * True if a recorded file that is still there has debugging information by which
 * @file, a string of the profile, is a source file of code with samples.
 */
static bool witness_names(struct witness *witness, const char *file)
{
	const struct profile *profile = witness->profile;
	int tried = 0;

	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];

		if (!has_file(profile, place, file))
			continue;
		if (confirms(witness, place, file))
			return true;
		if (++tried == MAX_PLACES)
			break;
	}
	return false;
}

#define MAX_BYTES (64 << 20)

void profil_source_finder_begin(struct source_finder *finder,
				const struct profile *profile,
				const char *directory)
{
	finder->directory = directory;
	witness_begin(&finder->witness, profile);
}

void profil_source_finder_end(struct source_finder *finder)
{
	witness_end(&finder->witness);
}

static bool is_open(const struct source_found *found, const struct stat *status)
{
	return status->st_dev == found->status.st_dev &&
	       status->st_ino == found->status.st_ino;
}

/* A file in whose place there was a link when it was opened is not the open one. */
static bool is_followed(const struct source_found *found, const char *path)
{
	struct stat status;

	if (lstat(path, &status))
		return false;
	if (!S_ISLNK(status.st_mode))
		return S_ISDIR(status.st_mode) || is_open(found, &status);
	return !status.st_uid || status.st_uid == geteuid() ||
	       status.st_uid == found->status.st_uid;
}

/* The first @chosen bytes of the path are of the user's choice. */
static bool has_trusted_links(const struct source_found *found, size_t chosen)
{
	const char *path = found->path;
	char part[PATH_MAX];
	size_t end = chosen;

	do {
		end += strspn(path + end, "/");
		end += strcspn(path + end, "/");
		memcpy(part, path, end);
		part[end] = '\0';
		if (!is_followed(found, part))
			return false;
	} while (path[end]);
	return true;
}

static bool open_regular(struct source_found *found, size_t chosen)
{
	found->fd = profil_regular_file_open(found->path);
	if (found->fd < 0)
		return false;
	if (!fstat(found->fd, &found->status) &&
	    found->status.st_size <= MAX_BYTES &&
	    has_trusted_links(found, chosen))
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
			  open_regular(found, strlen(directory));
		rest = strchr(rest, '/');
	}
	free(plain);
	return is_open;
}

static bool open_named(const struct source_finder *finder, const char *path,
		       struct source_found *found)
{
	if (snprintf(found->path, PATH_MAX, "%s", path) < PATH_MAX &&
	    open_regular(found, 0))
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
	if (!witness_names(&finder->witness, path))
		return SOURCE_FOREIGN;
	return open_named(finder, path, found) ? SOURCE_READ : SOURCE_MISSING;
}
