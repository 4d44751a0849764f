// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source files of a profile
 *
 * The path comes from a file that is not trusted, and the text may be passed on
 * with a page. So a file is opened only in a directory of the user's choice, or if a
 * program on this machine names it. The file has to be a regular one of a bounded size. A
 * link in place of a file of the sources, or of a directory on the way, may lead to a file
 * that only this user can read: links are those of the user, of root, or of the owner of
 * the file.
 */
#include <sys/stat.h>

#include "annotate/source_text.h"
#include "resolve/resolve.h"
#include "util/clock.h"

/* Places of a source file that are looked up */
#define MAX_PLACES 16

#define MAX_BYTES (64 << 20)

/* Columns of a tab */
#define TAB 8

void profil_source_finder_begin(struct source_finder *finder,
				const struct profile *profile,
				const char *directory)
{
	*finder = (struct source_finder){
		.directory = directory,
		.profile = profile,
		.object = PROFILE_NONE,
	};
}

void profil_source_finder_end(struct source_finder *finder)
{
	profil_units_end(&finder->units);
	if (finder->symbols)
		profil_symbols_close(finder->symbols);
	finder->symbols = NULL;
	finder->object = PROFILE_NONE;
}

/* A relative path is that of a file beside a profile from elsewhere. */
static void open_object(struct source_finder *finder, uint32_t object)
{
	const struct profile_object *it = &finder->profile->objects[object];

	if (finder->object == object)
		return;
	profil_source_finder_end(finder);
	finder->object = object;
	if (*it->path == '/')
		finder->symbols = profil_recorded_file_open(it);
	profil_units_begin(&finder->units, finder->symbols, &finder->bias);
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

static bool confirms(struct source_finder *finder,
		     const struct profile_place *place, const char *file)
{
	Dwarf_Die unit, full;

	open_object(finder, place->object);
	if (!profil_units_find(&finder->units, place->address + finder->bias,
			       &unit))
		return false;
	profil_split_unit_of(unit, finder->units.path, &full);
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
static bool is_named_by_program(struct source_finder *finder, const char *file)
{
	const struct profile *profile = finder->profile;
	int tried = 0;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_place *place =
			profile_place_of(profile, &profile->samples[i]);

		if (!has_file(profile, place, file))
			continue;
		if (confirms(finder, place, file))
			return true;
		if (++tried == MAX_PLACES)
			break;
	}
	return false;
}

/* A regular file of a bounded size that was found; @fd is to be closed */
struct source_found {
	int fd;
	struct stat status;
	char path[PATH_MAX];
};

static bool is_found(const struct source_found *found,
		     const struct stat *status)
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
		return S_ISDIR(status.st_mode) || is_found(found, &status);
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

static enum source_error open_source(struct source_finder *finder,
				     const char *path,
				     struct source_found *found)
{
	if (!*path)
		return SOURCE_MISSING;
	if (finder->directory && open_below(finder->directory, path, found))
		return SOURCE_READ;
	if (!is_named_by_program(finder, path))
		return SOURCE_FOREIGN;
	return open_named(finder, path, found) ? SOURCE_READ : SOURCE_MISSING;
}

/* A binary file, which has NUL bytes, has no lines. */
static void split(struct source_text *source, size_t size)
{
	char *rest = source->text;

	if (!size || memchr(source->text, '\0', size))
		return;
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
	size_t size;

	*source = (struct source_text){ 0 };
	error = open_source(finder, path, &found);
	if (error)
		return error;
	source->path = profil_copy_string(found.path);
	source->written_ns = profil_nanoseconds(found.status.st_mtim);
	if (built_ns && source->written_ns > built_ns) {
		close(found.fd);
		return SOURCE_NEWER;
	}
	source->text = profil_regular_file_text(found.fd, MAX_BYTES, &size);
	split(source, size);
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
