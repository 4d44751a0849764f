// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that processes have mapped
 *
 * A file may be in another mount namespace, or have no name any more: it is looked for
 * while a process that has mapped it runs.
 */
#include <sys/stat.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include "elf/debug_file.h"
#include "process/mapped_file.h"
#include "util/clock.h"

/* A file in overlayfs has another inode than the one that is mapped. */
static bool is_it(int fd, const struct file_identity *identity)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	       (uint64_t)status.st_size == identity->size &&
	       profil_nanoseconds(status.st_mtim) == identity->mtime_ns;
}

/* Descriptor above 0 that names the file @path of @identity; 0: there is none */
static int open_named(const char *path, const struct file_identity *identity)
{
	int fd = open(path, O_PATH | O_CLOEXEC), other;

	if (fd < 0)
		return 0;
	if (!is_it(fd, identity)) {
		close(fd);
		return 0;
	}
	if (fd)
		return fd;
	other = fcntl(fd, F_DUPFD_CLOEXEC, 1);
	close(fd);
	return other < 0 ? 0 : other;
}

/* Parts of the time, of which reading mappings takes one */
#define PART 20

/*
 * A process may have tens of thousands of mappings, each of another file that is looked
 * for: they are not read for each. They are read anew after a multiple of the time that
 * it took, some milliseconds for usual processes.
 */
static struct process_mapping *mappings_of(pid_t pid, size_t *nr)
{
	static struct process_mapping *all;
	static uint64_t end_ns;
	static size_t nr_all;
	static pid_t owner;
	uint64_t begin_ns = profil_now();

	if (pid != owner || begin_ns >= end_ns) {
		profil_process_mappings_free(all, nr_all);
		all = profil_process_mappings(pid, &nr_all);
		owner = pid;
		end_ns = begin_ns + PART * (profil_now() - begin_ns);
	}
	*nr = nr_all;
	return all;
}

static bool is_of(const struct process_mapping *mapping,
		  const struct file_identity *identity)
{
	return mapping->inode == identity->inode &&
	       mapping->device == identity->device;
}

/* By a mapping, which only root and the like may follow */
static int open_mapping(pid_t pid, const struct file_identity *identity)
{
	size_t nr, i = 0;
	const struct process_mapping *all = mappings_of(pid, &nr);
	int fd = 0;
	char *path;

	while (i < nr && !is_of(&all[i], identity))
		i++;
	if (i < nr) {
		path = profil_format("/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
				     pid, all[i].start, all[i].end);
		fd = open_named(path, identity);
		free(path);
	}
	return fd;
}

int profil_mapped_file_open(pid_t pid, const char *path,
			    const struct file_identity *identity)
{
	char *inside;
	int fd;

	if (*path != '/')
		return 0;
	inside = profil_format("%s%s", profil_process_path(pid, "root").text,
			       path);
	fd = open_named(inside, identity);
	free(inside);
	if (!fd)
		fd = open_named(profil_process_path(pid, "exe").text, identity);
	return fd ? fd : open_mapping(pid, identity);
}

/* Files of memory, which have no other names */
static const char *const memories[] = { "/memfd:", "/SYSV", "/dev/zero",
					"/anon_hugepage" };

static bool is_named_so(const char *path)
{
	for (size_t i = 0; i < sizeof(memories) / sizeof(*memories); i++)
		if (!strncmp(path, memories[i], strlen(memories[i])))
			return true;
	return false;
}

bool profil_mapping_is_nameless(const struct process_mapping *mapping)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(mapping->path);

	return is_named_so(mapping->path) ||
	       !strncmp(mapping->path, "/dev/shm/", strlen("/dev/shm/")) ||
	       (length >= strlen(mark) &&
		!strcmp(mapping->path + length - strlen(mark), mark));
}

/* The first bytes in the process decide or, where they are not mapped, the name. */
static bool is_memory_there(pid_t pid, const char *path,
			    const struct file_identity *identity)
{
	size_t nr, i = 0;
	const struct process_mapping *all = mappings_of(pid, &nr);
	char magic[SELFMAG] = "";
	size_t size = 0;

	while (i < nr && (all[i].offset || !is_of(&all[i], identity)))
		i++;
	if (i < nr)
		size = profil_process_memory(pid, all[i].start, magic, SELFMAG);
	return size == SELFMAG ? !!memcmp(magic, ELFMAG, SELFMAG) :
				 is_named_so(path);
}

/* A file whose server may not answer is left alone. */
static bool is_memory(int named)
{
	struct statfs system;
	bool is_elf;
	int fd;

	if (fstatfs(named, &system) || system.f_type == FUSE_SUPER_MAGIC ||
	    system.f_type == NFS_SUPER_MAGIC)
		return false;
	fd = profil_regular_file_reopen(named);
	is_elf = fd < 0 || profil_is_elf(fd);
	if (fd >= 0)
		close(fd);
	return !is_elf;
}

bool profil_mapped_file_is_memory(pid_t pid, const char *path,
				  const struct file_identity *identity)
{
	bool is_it_so;
	int named;

	if (identity->build_id_size || *path != '/')
		return false;
	named = profil_mapped_file_open(pid, path, identity);
	if (!named)
		return is_memory_there(pid, path, identity);
	is_it_so = is_memory(named);
	close(named);
	return is_it_so;
}
