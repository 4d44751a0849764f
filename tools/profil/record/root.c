// SPDX-License-Identifier: GPL-2.0-only
/* Root directories of processes */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/root.h"
#include "util/memory.h"

/* Bytes of a path in proc(5) */
#define PATH 40

static bool read_root(const char *process, struct root *root)
{
	struct stat directory, mounts;
	char path[PATH];

	snprintf(path, sizeof(path), "/proc/%s/root", process);
	if (stat(path, &directory))
		return false;
	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", process);
	if (stat(path, &mounts))
		return false;
	*root = (struct root){
		.device = directory.st_dev,
		.inode = directory.st_ino,
		.mounts = mounts.st_ino,
		.fd = -1,
	};
	return true;
}

static bool is_same(const struct root *one, const struct root *other)
{
	return one->device == other->device && one->inode == other->inode &&
	       one->mounts == other->mounts;
}

static int open_root(const char *process)
{
	char path[PATH];

	snprintf(path, sizeof(path), "/proc/%s/root", process);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static uint32_t append(struct roots *roots, const struct root *root)
{
	char path[PATH] = "";
	size_t nr = roots->nr;

	if (root->fd >= 0)
		snprintf(path, sizeof(path), "/proc/self/fd/%d", root->fd);
	ARRAY_ADD(roots->array, nr, *root);
	ARRAY_ADD(roots->paths, roots->nr,
		  (struct resolve_root){ profil_copy_string(path) });
	return roots->nr - 1;
}

uint32_t profil_roots_add(struct roots *roots, pid_t pid)
{
	struct root root, own;
	char process[16];

	snprintf(process, sizeof(process), "%d", pid);
	if (pid <= 0 || !read_root(process, &root))
		return INDEX_NONE;
	for (size_t i = 0; i < roots->nr; i++)
		if (is_same(&roots->array[i], &root))
			return i;
	if (!read_root("self", &own) || !is_same(&own, &root)) {
		root.fd = open_root(process);
		if (root.fd < 0)
			return INDEX_NONE;
	}
	return append(roots, &root);
}

void profil_roots_free(struct roots *roots)
{
	for (size_t i = 0; i < roots->nr; i++) {
		if (roots->array[i].fd >= 0)
			close(roots->array[i].fd);
		free(roots->paths[i].path);
	}
	free(roots->array);
	free(roots->paths);
	*roots = (struct roots){ 0 };
}
