/* SPDX-License-Identifier: GPL-2.0-only */
/* Saving a profile, so that no other one is lost */
#ifndef PROFIL_SAVE_H
#define PROFIL_SAVE_H

#include "profile/profile.h"

/**
 * struct save - where a profile is saved
 * @path: the file; - is stdout
 * @descriptor: open descriptor that @path names, or -1
 * @is_written: a profile of this recording has the name
 * @is_orphan: profil was killed: its pipes are not written to
 * @has_no_links: linkat(2) has failed: files have a name from the beginning
 * @elsewhere: file in memory, if the file cannot be written; otherwise ""
 * @unfinished: file that is being written and is not the profile yet, or ""
 * @error: errno of writing the file, if @elsewhere is used or nothing was saved
 * @size: bytes of the profile
 */
struct save {
	char path[PATH_MAX];
	int descriptor;
	bool is_written;
	bool is_orphan;
	bool has_no_links;
	char elsewhere[PATH_MAX];
	char unfinished[PATH_MAX];
	int error;
	uint64_t size;
};

/* Descriptor that @path names, as - or /dev/fd/1, or -1; it may be closed. */
int profil_save_descriptor(const char *path);

/*
 * @path is a device, a FIFO or a descriptor: it is written directly, once. A link to
 * such a file counts if it belongs to root or to the caller. DATA_NAME, and the link
 * of another user, are replaced by a file.
 */
bool profil_save_is_special(const char *path);

/* Prepare to save in @path: 0, or -errno if a file cannot be written there. */
int profil_save_begin(struct save *save, const char *path);

/*
 * Save @profile: 0 or -errno. The file is complete whenever it is there, also
 * after the machine has crashed, and belongs to this user alone. If it cannot be
 * written, an older file is kept, and the profile is saved in memory or in a
 * directory for temporary files.
 */
int profil_save(struct save *save, const struct profile *profile);

/* Write to @text what became of the profile, after profil_save() has returned @error. */
void profil_save_tell(const struct save *save, int error, char *text,
		      size_t size);

/*
 * Save @profile, which is one of a part of the time, in a file of @directory: 0 or
 * -errno. The names of such files sort by the beginning of the part.
 */
int profil_save_part(const char *directory, const struct profile *profile);

#endif
