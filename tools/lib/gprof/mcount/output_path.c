// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * No descriptor is held of the directory, so after a chdir() it is found by the
 * path that it had, and after a chroot() or a rename by being the current one.
 * Which directory it was tells whether it is found. What is written from within
 * mcount() needs this, so it calls nothing of the libc: see the Makefile.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/output_path.h"

static size_t length_of(const char *text)
{
	size_t length = 0;

	while (text[length])
		length++;
	return length;
}

/* Append; a text that does not fit leaves @used at @room, which is too much. */
static size_t append(char *to, size_t used, size_t room, const char *text)
{
	size_t length = length_of(text);

	if (used >= room || length >= room - used)
		return room;
	for (size_t i = 0; i <= length; i++)
		to[used + i] = text[i];
	return used + length;
}

static size_t append_number(char *to, size_t used, size_t room, int number)
{
	char digits[16];
	char *digit = digits + sizeof(digits);

	*--digit = '\0';
	do {
		*--digit = '0' + number % 10;
		number /= 10;
	} while (number);
	*--digit = '.';
	return append(to, used, room, digit);
}

/* Where the last name of a path begins */
static size_t last_name(const char *path)
{
	size_t last = 0;

	for (size_t i = 0; path[i]; i++)
		if (path[i] == '/')
			last = i + 1;
	return last;
}

/* Of the directory of the file at @path, which @scratch has room for */
static bool stat_directory(const char *path, char *scratch, struct stat *status)
{
	size_t length = last_name(path);

	for (size_t i = 0; i < length; i++)
		scratch[i] = path[i];
	scratch[length] = '\0';
	return !syscall(SYS_newfstatat, AT_FDCWD, length ? scratch : ".",
			status, 0);
}

static bool is_there(const struct place *place, const char *path, char *scratch)
{
	struct stat status;

	return stat_directory(path, scratch, &status) &&
	       status.st_dev == place->device && status.st_ino == place->inode;
}

static size_t put_directory(char path[PATH_MAX])
{
	long length = syscall(SYS_getcwd, path, PATH_MAX);

	/* What the process cannot reach has a path with another beginning. */
	if (length <= 0 || path[0] != '/')
		return 0;
	return append(path, length - 1, PATH_MAX, "/");
}

/* What is too long with its directory may be short enough without. */
static size_t put_path(char path[PATH_MAX], const char *name)
{
	size_t used = *name == '/' ? 0 : put_directory(path);

	if (append(path, used, PATH_MAX, name) < PATH_MAX)
		return used;
	path[0] = '\0';
	append(path, 0, PATH_MAX, name);
	return 0;
}

void profil_place_note(struct place *place, const char *name)
{
	char scratch[PATH_MAX];
	struct stat status;

	place->relative = put_path(place->path, name);
	place->device = 0;
	place->inode = 0;
	if (stat_directory(place->path, scratch, &status)) {
		place->device = status.st_dev;
		place->inode = status.st_ino;
	}
}

static const char *find(const struct place *place, char *scratch)
{
	const char *relative = place->path + place->relative;

	if (!place->inode || is_there(place, place->path, scratch))
		return place->path;
	if (*relative != '/' && is_there(place, relative, scratch))
		return relative;
	return place->path + last_name(place->path);
}

int profil_place_path(const struct place *place, int number, const char *suffix,
		      char path[PLACE_MAX])
{
	size_t used = append(path, 0, PLACE_MAX, find(place, path));

	if (number)
		used = append_number(path, used, PLACE_MAX, number);
	if (*suffix) {
		used = append(path, used, PLACE_MAX, ".");
		used = append(path, used, PLACE_MAX, suffix);
	}
	return used == PLACE_MAX ? -ENAMETOOLONG : 0;
}

int profil_place_part(const char *path, int pid, char part[PLACE_MAX])
{
	size_t used = append(part, 0, PLACE_MAX, path);

	used = append_number(part, used, PLACE_MAX, pid);
	used = append(part, used, PLACE_MAX, ".part");
	return used == PLACE_MAX ? -ENAMETOOLONG : 0;
}
