/* SPDX-License-Identifier: GPL-2.0-only */
/* Build IDs of files, as far as these are in memory. */
#ifndef PROFIL_BUILD_ID_H
#define PROFIL_BUILD_ID_H

#include <linux/types.h>

struct file;

/*
 * Copy the GNU build ID of an ELF file to @id, of BUILD_ID_MAX bytes, if the note is in
 * the first @size bytes of the file, and these in the page cache, where exec and ld.so
 * have read them. Uses @room, of @size bytes. Reads no file. Returns the number of bytes,
 * or 0.
 */
u32 profil_build_id(struct file *file, void *room, size_t size, u8 *id);

#endif /* PROFIL_BUILD_ID_H */
