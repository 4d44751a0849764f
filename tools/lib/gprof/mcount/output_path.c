// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * No descriptor of the directory stays open. After a chdir() the directory is
 * found by its earlier path, after a chroot() or a rename as the current one; its
 * device and inode show whether a path still leads there. Files are written from
 * within mcount(), so no libc function is called: see the Makefile.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/output_path.h"
#include "gprof/mcount/system_call.h"

static size_t length_of(const char *text)
{
	size_t length = 0;

	while (text[length])
		length++;
	return length;
}

/* Append @text; the result is @room if it does not fit. */
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

/* Index of the last component of a path */
static size_t last_name(const char *path)
{
	size_t last = 0;

	for (size_t i = 0; path[i]; i++)
		if (path[i] == '/')
			last = i + 1;
	return last;
}

/* Status of the directory of @path; @scratch has room for the path. */
static bool stat_directory(const char *path, char *scratch, struct stat *status)
{
	size_t length = last_name(path);

	for (size_t i = 0; i < length; i++)
		scratch[i] = path[i];
	scratch[length] = '\0';
	return !syscall(CALL_FSTATAT, AT_FDCWD, length ? scratch : ".", status,
			0);
}

static bool is_there(const struct output_path *output, const char *path,
		     char *scratch)
{
	struct stat status;

	return stat_directory(path, scratch, &status) &&
	       status.st_dev == output->device &&
	       status.st_ino == output->inode;
}

static size_t put_directory(char path[PATH_MAX])
{
	long length = syscall(SYS_getcwd, path, PATH_MAX);

	/* A directory outside the process's root has a path without a leading /. */
	if (length <= 0 || path[0] != '/')
		return 0;
	return append(path, length - 1, PATH_MAX, "/");
}

/* A path that is too long with its directory may be short enough without. */
static size_t put_path(char path[PATH_MAX], const char *name)
{
	size_t used = *name == '/' ? 0 : put_directory(path);

	if (append(path, used, PATH_MAX, name) < PATH_MAX)
		return used;
	path[0] = '\0';
	append(path, 0, PATH_MAX, name);
	return 0;
}

void profil_output_path_set(struct output_path *output, const char *name)
{
	char scratch[PATH_MAX];
	struct stat status;

	output->relative = put_path(output->path, name);
	output->device = 0;
	output->inode = 0;
	if (stat_directory(output->path, scratch, &status)) {
		output->device = status.st_dev;
		output->inode = status.st_ino;
	}
}

static const char *find(const struct output_path *output, char *scratch)
{
	const char *relative = output->path + output->relative;

	if (!output->inode || is_there(output, output->path, scratch))
		return output->path;
	if (*relative != '/' && is_there(output, relative, scratch))
		return relative;
	return output->path + last_name(output->path);
}

int profil_output_path_get(const struct output_path *output, int number,
			   const char *suffix, char path[OUTPUT_PATH_MAX])
{
	size_t used = append(path, 0, OUTPUT_PATH_MAX, find(output, path));

	if (number)
		used = append_number(path, used, OUTPUT_PATH_MAX, number);
	if (*suffix) {
		used = append(path, used, OUTPUT_PATH_MAX, ".");
		used = append(path, used, OUTPUT_PATH_MAX, suffix);
	}
	return used == OUTPUT_PATH_MAX ? -ENAMETOOLONG : 0;
}

int profil_output_path_part(const char *path, int pid,
			    char part[OUTPUT_PATH_MAX])
{
	size_t used = append(part, 0, OUTPUT_PATH_MAX, path);

	used = append_number(part, used, OUTPUT_PATH_MAX, pid);
	used = append(part, used, OUTPUT_PATH_MAX, ".part");
	return used == OUTPUT_PATH_MAX ? -ENAMETOOLONG : 0;
}
