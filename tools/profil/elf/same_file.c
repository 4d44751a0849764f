// SPDX-License-Identifier: GPL-2.0-only
/* Comparison of a file with the one that was profiled */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include <elfutils/libdwelf.h>
#include <libelf.h>

#include "elf/same_file.h"

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
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
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
