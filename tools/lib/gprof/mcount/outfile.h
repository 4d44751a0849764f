/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OUTFILE_H
#define PROFIL_LIB_OUTFILE_H

#include <stddef.h>

/* A file of results that is being written; the fields are outfile.c's own. */
struct outfile {
	int fd;
	int error;
	size_t used;
	unsigned char buffer[4096];
};

/*
 * All return 0 or -errno, and after an error each returns that error.
 *
 * open: makes the file, or empties it; -ELOOP for a symbolic link and -EINVAL
 * for what is no regular file. There is nothing to close after an error.
 *
 * fail: notes an error of the writer's, if there is none yet.
 */
int profil_outfile_open(struct outfile *file, const char *path);
int profil_outfile_put(struct outfile *file, const void *data, size_t size);
int profil_outfile_fail(struct outfile *file, int error);
int profil_outfile_close(struct outfile *file);

#endif
