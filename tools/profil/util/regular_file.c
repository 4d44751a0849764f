// SPDX-License-Identifier: GPL-2.0-only
/* Files of names that are not trusted */
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/regular_file.h"

static int name_file(const char *path)
{
	return open(path, O_PATH | O_CLOEXEC);
}

/* Some files of proc(5) and most of sysfs(5) have a size. */
static bool is_of_kernel(int named)
{
	struct statfs system;

	return fstatfs(named, &system) || system.f_type == PROC_SUPER_MAGIC ||
	       system.f_type == SYSFS_MAGIC;
}

static bool is_regular(int named)
{
	struct stat status;

	return !fstat(named, &status) && S_ISREG(status.st_mode) &&
	       status.st_size > 0 && !is_of_kernel(named);
}

/* O_NONBLOCK: a lease of the file's owner would delay the opening. */
int profil_regular_file_reopen(int named)
{
	char path[32];

	if (!is_regular(named))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", named);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool is_same(int fd, int named)
{
	struct stat one, other;

	return !fstat(fd, &one) && !fstat(named, &other) &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* For a system without proc(5). A file that replaces the tested one is closed again. */
static int open_by_name(const char *path, int named)
{
	int fd = -1;

	if (is_regular(named))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || is_same(fd, named))
		return fd;
	close(fd);
	return -1;
}

int profil_regular_file_open(const char *path)
{
	int named = name_file(path);
	int fd;

	if (named < 0)
		return -1;
	fd = access("/proc/self/fd", F_OK) ? open_by_name(path, named) :
					     profil_regular_file_reopen(named);
	close(named);
	return fd;
}

bool profil_regular_file_is_other(const char *path)
{
	int named = name_file(path);
	bool is_other;

	if (named < 0)
		return false;
	is_other = !is_regular(named);
	close(named);
	return is_other;
}
