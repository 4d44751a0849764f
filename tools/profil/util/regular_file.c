// SPDX-License-Identifier: GPL-2.0-only
/* Files of names that are not trusted, and the number of open files */
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <elfutils/libdwelf.h>
#include <linux/magic.h>

#include "util/clock.h"
#include "util/regular_file.h"

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

static bool is_same_file(int fd, int named)
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
	if (fd < 0 || is_same_file(fd, named))
		return fd;
	close(fd);
	return -1;
}

int profil_regular_file_open(const char *path)
{
	int named = open(path, O_PATH | O_CLOEXEC);
	int fd;

	if (named < 0)
		return -1;
	fd = access("/proc/self/fd", F_OK) ? open_by_name(path, named) :
					     profil_regular_file_reopen(named);
	close(named);
	return fd;
}

char *profil_regular_file_text(int fd, size_t most, size_t *size)
{
	struct stat status;
	ssize_t got = 0;
	char *text;

	if (!fstat(fd, &status) && (size_t)status.st_size < most)
		most = status.st_size;
	text = profil_grow(NULL, most + 1, 1);
	*size = 0;
	do {
		*size += got;
		got = read(fd, text + *size, most - *size);
	} while (got > 0);
	text[*size] = '\0';
	return text;
}

bool profil_regular_file_is_other(const char *path)
{
	int named = open(path, O_PATH | O_CLOEXEC);
	bool is_other;

	if (named < 0)
		return false;
	is_other = !is_regular(named);
	close(named);
	return is_other;
}

/* Comparison of a file with the one that was profiled */

static struct file_identity identity_of(const struct statx *status)
{
	return (struct file_identity){
		.device = (uint64_t)status->stx_dev_major << 32 |
			  status->stx_dev_minor,
		.inode = status->stx_ino,
		.size = status->stx_size,
		.mtime_ns = status->stx_mtime.tv_sec * SECOND +
			    status->stx_mtime.tv_nsec,
	};
}

static bool is_in_place(const struct file_identity *then, int fd)
{
	struct file_identity now;
	struct statx status;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status))
		return false;
	now = identity_of(&status);
	return !memcmp(then, &now,
		       offsetof(struct file_identity, build_id_size));
}

bool profil_same_place(const struct file_identity *then, const char *path)
{
	struct file_identity now;
	struct statx status;

	if (statx(AT_FDCWD, path, 0, STATX_INO, &status))
		return false;
	now = identity_of(&status);
	return then->device == now.device && then->inode == now.inode;
}

uint32_t profil_build_id(Elf *elf, uint8_t id[FILE_BUILD_ID])
{
	const void *all;
	ssize_t size = elf ? dwelf_elf_gnu_build_id(elf, &all) : 0;

	if (size <= 0)
		return 0;
	if (size > FILE_BUILD_ID)
		size = FILE_BUILD_ID;
	memcpy(id, all, size);
	return size;
}

struct file_identity profil_build_identity(const void *id, size_t size)
{
	/* A device and inode mark an identity as known. */
	struct file_identity identity = {
		.device = 1,
		.inode = 1,
		.build_id_size = size < FILE_BUILD_ID ? size : FILE_BUILD_ID,
	};

	memcpy(identity.build_id, id, identity.build_id_size);
	return identity;
}

bool profil_has_build_id(int fd, const void *id, size_t size)
{
	struct file_identity identity = profil_build_identity(id, size);

	return profil_same_file(&identity, fd);
}

bool profil_same_file(const struct file_identity *then, int fd)
{
	uint8_t id[FILE_BUILD_ID];
	uint32_t size;
	bool same;
	Elf *elf;

	if (!then->device && !then->inode)
		return false;
	elf_version(EV_CURRENT);
	/* Not mapped: a file that is cut meanwhile would raise SIGBUS. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	size = profil_build_id(elf, id);
	if (size && then->build_id_size)
		same = size == then->build_id_size &&
		       !memcmp(id, then->build_id, size);
	else
		same = is_in_place(then, fd);
	elf_end(elf);
	return same;
}

struct file_identity profil_file_identity(const char *path)
{
	struct statx status;

	if (*path != '/' ||
	    statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &status) ||
	    !S_ISREG(status.stx_mode))
		return (struct file_identity){ 0 };
	return identity_of(&status);
}

/*
 * Files that are cut while they are read
 *
 * libdw maps them. A page that the file has no more raises SIGBUS, and is replaced by
 * one of zeros.
 */

static void on_cut(int signal, siginfo_t *info, void *context)
{
	long size = sysconf(_SC_PAGESIZE);
	uintptr_t page = (uintptr_t)info->si_addr & -(uintptr_t)size;

	(void)context;
	if (info->si_code == BUS_ADRERR &&
	    mmap((void *)page, size, PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
		return;
	(void)!sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL },
			 NULL);
}

void profil_file_survive_cut(void)
{
	struct sigaction action = {
		.sa_sigaction = on_cut,
		.sa_flags = SA_SIGINFO,
	};

	sigaction(SIGBUS, &action, NULL);
}

/* Number of files that may be open */

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
