/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of names that are not trusted
 *
 * The opening of a device acts on it: that of a watchdog starts it, that of a tape
 * rewinds the tape. The opening of a FIFO waits for a writer. A file is tested by a
 * descriptor that only names it, and that file is opened, whatever has its path
 * then.
 */
#ifndef PROFIL_UTIL_REGULAR_FILE_H
#define PROFIL_UTIL_REGULAR_FILE_H

#include <libelf.h>

#include "util/base.h"

/* Bytes of a build ID; a longer one is cut. */
#define FILE_BUILD_ID 32

/**
 * struct file_identity - identity of a file when it was mapped
 * @device: st_dev of stat(2), the major number << 32; 0, like all other members, if
 *	there was no file
 * @inode: st_ino
 * @size: st_size
 * @mtime_ns: st_mtim, in nanoseconds
 * @build_id_size: bytes of @build_id; 0 if the file has none
 * @build_id: build ID from the linker
 * @zero: zero, since the whole structure is compared
 */
struct file_identity {
	uint64_t device;
	uint64_t inode;
	uint64_t size;
	uint64_t mtime_ns;
	uint32_t build_id_size;
	uint8_t build_id[FILE_BUILD_ID];
	uint8_t zero[4];
};

/*
 * Open a file for reading: a descriptor, to be closed, or -1 if it is not a regular
 * file, if it is empty, if it is one of proc(5) or sysfs(5), or if it cannot be
 * opened. Other files of the kernel are regular and empty, and reading one may wait;
 * in sysfs(5), reading one may act on a device. Where proc(5) is not mounted, a file
 * that replaces the tested one is opened, and closed again.
 */
int profil_regular_file_open(const char *path);

/* The same for the file that the descriptor @named, of O_PATH, names */
int profil_regular_file_reopen(int named);

/* The first bytes of the file @fd, @most or fewer, with a zero behind them, to be freed */
char *profil_regular_file_text(int fd, size_t most, size_t *size);

/* True if open(2) would open another file than profil_regular_file_open() does */
bool profil_regular_file_is_other(const char *path);

/* Store the build ID of @elf, which may be NULL; its bytes, or 0 if there is none. */
uint32_t profil_build_id(Elf *elf, uint8_t id[FILE_BUILD_ID]);

/* Identity of any file with the build ID @id of @size bytes, more than 0 */
struct file_identity profil_build_identity(const void *id, size_t size);

/*
 * True if the file @fd has the identity @then: the same build ID if both have
 * one, otherwise the same device, inode, size and time of modification.
 */
bool profil_same_file(const struct file_identity *then, int fd);

/* The file @fd has the build ID @id of @size bytes, more than 0. */
bool profil_has_build_id(int fd, const void *id, size_t size);

/* True if the file @path has the device and inode of @then; it is not opened. */
bool profil_same_place(const struct file_identity *then, const char *path);

/* Identity of the file @path, without the build ID; all zero if it is no regular file */
struct file_identity profil_file_identity(const char *path);

/* From now on a mapped file that is cut has zeros where it has no bytes any more. */
void profil_file_survive_cut(void);

/*
 * Raise the soft limit of open files to the hard one: a recording keeps descriptors
 * of each process and each container. The usual limit, 1024, is one for programs
 * that use select(2), which profil does not.
 */
void profil_file_limit_raise(void);

/* Set the soft limit that was found, for another program; if it was raised */
void profil_file_limit_restore(void);

#endif
