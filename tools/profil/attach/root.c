// SPDX-License-Identifier: GPL-2.0-only
/* The files of a process in another mount namespace */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/root.h"

bool profil_root_is_own(pid_t pid)
{
	struct stat here, there;
	char path[ROOT_PATH];

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	return !stat("/proc/self/ns/mnt", &here) && !stat(path, &there) &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

void profil_root_outer(pid_t pid, char outer[PATH_MAX])
{
	char path[ROOT_PATH];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	length = readlink(path, outer, PATH_MAX - 1);
	outer[length > 1 ? length : 0] = '\0';
}

static int open_in(const char *format, pid_t pid, int flags)
{
	char path[ROOT_PATH];

	snprintf(path, sizeof(path), format, pid);
	return open(path, flags | O_CLOEXEC);
}

void profil_root_open(struct root *root, pid_t pid)
{
	*root = (struct root){ -1, -1 };
	if (profil_root_is_own(pid))
		return;
	root->directory = open_in("/proc/%d/root", pid, O_PATH | O_DIRECTORY);
	root->mounts = open_in("/proc/%d/ns/mnt", pid, O_RDONLY);
}

/* -1 is equal to itself alone. */
static bool is_same_file(int one, int other)
{
	struct stat a, b;

	if (one < 0 || other < 0)
		return one == other;
	return !fstat(one, &a) && !fstat(other, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool profil_root_is_same(const struct root *one, const struct root *other)
{
	return is_same_file(one->directory, other->directory) &&
	       is_same_file(one->mounts, other->mounts);
}

void profil_root_path(const struct root *root, char path[ROOT_PATH])
{
	*path = '\0';
	if (root->directory >= 0)
		snprintf(path, ROOT_PATH, "/proc/self/fd/%d", root->directory);
}

void profil_root_close(struct root *root)
{
	if (root->directory >= 0)
		close(root->directory);
	if (root->mounts >= 0)
		close(root->mounts);
	*root = (struct root){ -1, -1 };
}
