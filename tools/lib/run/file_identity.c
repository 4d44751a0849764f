// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Identity of a file: device and inode, size and modification time, and the
 * build ID from the linker
 *
 * The system calls are bare for the reason given in device.c. The file is read,
 * not mapped: another process may truncate it meanwhile.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/stat.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "include/decimal.h"
#include "run/file_identity.h"

/* Limits of the program headers and of the notes that are read */
#define MAX_HEADERS 32
#define MAX_NOTE_BYTES 1024

#define DESCRIPTORS "/proc/thread-self/fd/"

/* Fill all but the build ID; all zero if the file is not a regular one. */
static void read_status(int fd, const char *path, int flags,
			struct run_identity *identity)
{
	struct statx status;

	memset(identity, 0, sizeof(*identity));
	if (syscall(SYS_statx, fd, path, flags, STATX_BASIC_STATS, &status) ||
	    !S_ISREG(status.stx_mode))
		return;
	identity->device = (__u64)status.stx_dev_major << 32 |
			   status.stx_dev_minor;
	identity->inode = status.stx_ino;
	identity->size = status.stx_size;
	identity->mtime_ns = status.stx_mtime.tv_sec * 1000000000ULL +
			     status.stx_mtime.tv_nsec;
}

void profil_file_identity(const char *path, struct run_identity *identity)
{
	memset(identity, 0, sizeof(*identity));
	if (*path == '/')
		read_status(AT_FDCWD, path, 0, identity);
}

static size_t read_at(int fd, void *buffer, size_t size, __u64 where)
{
	ssize_t got = syscall(SYS_pread64, fd, buffer, size, (off_t)where);

	return got > 0 ? got : 0;
}

static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static void take(struct run_identity *identity, const char *id, size_t size)
{
	if (size > RUN_BUILD_ID)
		size = RUN_BUILD_ID;
	memcpy(identity->build_id, id, size);
	identity->build_id_size = size;
}

/* Take the build ID from the notes at @at, of @left bytes; whether it is there */
static bool take_notes(struct run_identity *identity, const char *at,
		       size_t left)
{
	ElfW(Nhdr) note;

	while (left >= sizeof(note)) {
		size_t size;

		memcpy(&note, at, sizeof(note));
		if (note.n_namesz > left || note.n_descsz > left)
			return false;
		size = sizeof(note) + aligned(note.n_namesz) +
		       aligned(note.n_descsz);
		if (size > left)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(at + sizeof(note), "GNU", 4)) {
			take(identity, at + sizeof(note) + 4, note.n_descsz);
			return true;
		}
		at += size;
		left -= size;
	}
	return false;
}

static void read_notes(int fd, struct run_identity *identity)
{
	ElfW(Phdr) headers[MAX_HEADERS];
	ElfW(Ehdr) head;
	char notes[MAX_NOTE_BYTES];
	size_t nr;

	if (read_at(fd, &head, sizeof(head), 0) < sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_phentsize != sizeof(*headers))
		return;
	nr = read_at(fd, headers, sizeof(headers), head.e_phoff) /
	     sizeof(*headers);
	for (size_t i = 0; i < nr && i < head.e_phnum; i++) {
		size_t size = headers[i].p_filesz;

		if (headers[i].p_type != PT_NOTE)
			continue;
		if (size > sizeof(notes))
			size = sizeof(notes);
		size = read_at(fd, notes, size, headers[i].p_offset);
		if (take_notes(identity, notes, size))
			return;
	}
}

static int open_file(const char *path, int flags)
{
	return syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}

/* Open for reading the file of @named. A thread can have descriptors of its own. */
static int reopen(int named)
{
	char path[sizeof(DESCRIPTORS) + DECIMAL_DIGITS] = DESCRIPTORS;
	char digits[DECIMAL_DIGITS];

	strcat(path, decimal(named, digits));
	return open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

/* A file of proc(5) has no size. */
static bool is_file(int named, const struct run_identity *identity)
{
	struct run_identity found;

	read_status(named, "", AT_EMPTY_PATH, &found);
	return found.size && found.inode == identity->inode &&
	       found.device == identity->device &&
	       found.size == identity->size &&
	       found.mtime_ns == identity->mtime_ns;
}

/*
 * Another file may have the path now. The opening of a device acts on the device, so a
 * descriptor of O_PATH is tested first.
 */
void profil_file_build_id(const char *path, struct run_identity *identity)
{
	int named = *path == '/' ? open_file(path, O_PATH) : -1;
	int fd;

	if (named < 0)
		return;
	fd = is_file(named, identity) ? reopen(named) : -1;
	if (fd >= 0) {
		read_notes(fd, identity);
		syscall(SYS_close, fd);
	}
	syscall(SYS_close, named);
}
