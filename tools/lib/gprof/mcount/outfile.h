/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OUTFILE_H
#define PROFIL_LIB_OUTFILE_H

#include <stddef.h>

/* A file that is being written; the fields are private to outfile.c. */
struct outfile {
	int fd;
	int error;
	size_t used;
	unsigned char buffer[4096];
};

/*
 * All return 0 or -errno; after an error each returns the same error.
 *
 * open: create the file, or empty it; -ELOOP for a symbolic link and -EINVAL for
 * a file that is not regular. A file that failed to open needs no close.
 *
 * fail: record an error of the caller, unless there is one already.
 */
int profil_outfile_open(struct outfile *file, const char *path);
int profil_outfile_put(struct outfile *file, const void *data, size_t size);
int profil_outfile_fail(struct outfile *file, int error);
int profil_outfile_close(struct outfile *file);

#endif
