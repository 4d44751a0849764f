// SPDX-License-Identifier: GPL-2.0-only
/*
 * Search for files with separate debugging information, here
 *
 * libdwfl would search the same directories, and open whatever has the name.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <elfutils/libdwelf.h>

#include "elf/debug_file.h"
#include "util/interrupt.h"
#include "util/regular_file.h"

#define SYSTEM "/usr/lib/debug"

/* Bytes of the largest file whose sum is computed */
#define LARGEST 0x100000000LL

/* libdwfl would expand a compressed file in memory, to any size. */
static bool is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, SELFMAG, 0) == SELFMAG &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

static bool has_id(int fd, const struct debug_file_wanted *wanted)
{
	Elf *elf = dwelf_elf_begin(fd);
	const void *id;
	ssize_t size = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
	bool same = size > 0 && (size_t)size == wanted->id_size &&
		    !memcmp(id, wanted->id, size);

	elf_end(elf);
	return same;
}

static bool has_sum(int fd, GElf_Word sum)
{
	unsigned char bytes[65536];
	struct stat status;
	uLong crc = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t got;

	if (fstat(fd, &status) || status.st_size > LARGEST)
		return false;
	while (at < status.st_size && !profil_interrupted()) {
		got = pread(fd, bytes, sizeof(bytes), at);
		if (got <= 0)
			return false;
		crc = crc32(crc, bytes, got);
		at += got;
	}
	return at == status.st_size && crc == sum;
}

static bool is_file(int fd, const char *path)
{
	struct stat one, other;

	return path && !fstat(fd, &one) && !stat(path, &other) &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool is_wanted(int fd, const struct debug_file_wanted *wanted)
{
	if (!is_elf(fd) || is_file(fd, wanted->main))
		return false;
	return wanted->id_size ? has_id(fd, wanted) : has_sum(fd, wanted->sum);
}

int profil_debug_file_open(const char *path,
			   const struct debug_file_wanted *wanted)
{
	int fd = profil_regular_file_open(path);

	if (fd < 0 || is_wanted(fd, wanted))
		return fd;
	close(fd);
	return -1;
}

int profil_debug_file_by_id(const struct debug_file_wanted *wanted)
{
	const unsigned char *id = wanted->id;
	char path[PATH_MAX] = SYSTEM "/.build-id/";
	size_t at = strlen(path);

	/* A byte is the directory. */
	if (wanted->id_size < 2 || wanted->id_size > PATH_MAX / 4)
		return -1;
	for (size_t i = 0; i < wanted->id_size; i++)
		at += sprintf(path + at, i ? "%02x" : "%02x/", id[i]);
	sprintf(path + at, ".debug");
	return profil_debug_file_open(path, wanted);
}

static int open_in(const char *parent, const char *directory, const char *name,
		   const struct debug_file_wanted *wanted)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s%s", parent, directory, name) >=
	    PATH_MAX)
		return -1;
	return profil_debug_file_open(path, wanted);
}

/*
 * @directory ends with a '/'. The system's directory may lack leading parts of its
 * path, for example /usr.
 */
static int search(const char *directory, const char *name,
		  const struct debug_file_wanted *wanted)
{
	const char *rest = *directory == '/' ? directory : NULL;
	int fd = open_in("", directory, name, wanted);

	if (fd < 0)
		fd = open_in(directory, ".debug/", name, wanted);
	while (fd < 0 && rest && rest[1]) {
		fd = open_in(SYSTEM, rest, name, wanted);
		rest = strchr(rest + 1, '/');
	}
	return fd;
}

/* A program without a link is looked for by its own name, and its build ID. */
static int search_names(const char *path, const char *link,
			const struct debug_file_wanted *wanted)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char directory[PATH_MAX], name[NAME_MAX + 1];
	int fd;

	snprintf(directory, sizeof(directory), "%.*s", (int)(base - path),
		 path);
	if (link)
		return strchr(link, '/') ? -1 : search(directory, link, wanted);
	if (!wanted->id_size ||
	    snprintf(name, sizeof(name), "%s.debug", base) > NAME_MAX)
		return -1;
	fd = search(directory, name, wanted);
	return fd < 0 ? search(directory, base, wanted) : fd;
}

/* The debugging information may be that of the file that a symbolic link names. */
static int search_by_name(const char *path, const char *link,
			  const struct debug_file_wanted *wanted)
{
	int fd = search_names(path, link, wanted);
	char *target = fd < 0 ? realpath(path, NULL) : NULL;

	if (target && strcmp(target, path))
		fd = search_names(target, link, wanted);
	free(target);
	return fd;
}

int profil_debug_file_find(const char *path, Elf *elf)
{
	struct debug_file_wanted wanted = { .main = path };
	const char *link = dwelf_elf_gnu_debuglink(elf, &wanted.sum);
	ssize_t size = dwelf_elf_gnu_build_id(elf, &wanted.id);
	int fd = -1;

	if (size > 0) {
		wanted.id_size = size;
		fd = profil_debug_file_by_id(&wanted);
	}
	return fd < 0 ? search_by_name(path, link, &wanted) : fd;
}
