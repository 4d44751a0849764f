// SPDX-License-Identifier: GPL-2.0-only
/* Files of names that are not trusted, and the number of open files */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <libelf.h>
#include <linux/magic.h>

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

/* Comparison of a file with the one that was profiled */

static bool is_inode(const struct run_identity *then, const struct statx *now)
{
	return then->device ==
		       ((__u64)now->stx_dev_major << 32 | now->stx_dev_minor) &&
	       then->inode == now->stx_ino;
}

static bool is_in_place(const struct run_identity *then, int fd)
{
	struct statx now;

	return !statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &now) &&
	       is_inode(then, &now) && then->size == now.stx_size &&
	       then->mtime_ns == now.stx_mtime.tv_sec * 1000000000ULL +
					 now.stx_mtime.tv_nsec;
}

bool profil_same_place(const struct run_identity *then, const char *path)
{
	struct statx now;

	return !statx(AT_FDCWD, path, 0, STATX_INO, &now) &&
	       is_inode(then, &now);
}

bool profil_same_file(const struct run_identity *then, int fd)
{
	const void *id;
	ssize_t size;
	bool same;
	Elf *elf;

	if (!then->device && !then->inode)
		return false;
	elf_version(EV_CURRENT);
	/* Not mapped: a file that is cut meanwhile would raise SIGBUS. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	size = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
	if (size > RUN_BUILD_ID)
		size = RUN_BUILD_ID;
	if (size > 0 && then->build_id_size)
		same = size == (ssize_t)then->build_id_size &&
		       !memcmp(id, then->build_id, size);
	else
		same = is_in_place(then, fd);
	elf_end(elf);
	return same;
}

/*
 * Number of files that may be open
 *
 * A recording keeps descriptors of each process and each container. The usual soft
 * limit, 1024, is one for programs that use select(2), which profil does not.
 */

static struct rlimit found;
static bool is_raised;

void profil_file_limit_raise(void)
{
	struct rlimit most;

	if (is_raised || getrlimit(RLIMIT_NOFILE, &found))
		return;
	most = found;
	most.rlim_cur = most.rlim_max;
	is_raised = !setrlimit(RLIMIT_NOFILE, &most);
}

void profil_file_limit_restore(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &found);
}
