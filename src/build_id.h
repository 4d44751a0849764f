/* SPDX-License-Identifier: GPL-2.0-only */
/* Build IDs of files, as far as these are in memory. */
#ifndef PROFIL_BUILD_ID_H
#define PROFIL_BUILD_ID_H

#include <linux/types.h>

struct file;

/*
 * Copy the GNU build ID of an ELF file to @id, of @room bytes, if the note is in
 * the first page of the file, and that page in the page cache, where exec and
 * ld.so have read it. Reads no file. Returns the number of bytes, or 0. Sleeps.
 */
u32 profil_build_id(struct file *file, u8 *id, u32 room);

#endif /* PROFIL_BUILD_ID_H */
