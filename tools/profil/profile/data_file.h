/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profil.data: a profile in a file
 *
 * profil.data(5) describes the format: lines of text, compressed by gzip.
 */
#ifndef PROFIL_DATA_FILE_H
#define PROFIL_DATA_FILE_H

#include "profile/profile.h"

#define DATA_NAME "profil.data"
#define DATA_VERSION 1

/* Upper limit of the text in a file; a profile takes six times as much at most. */
#define DATA_MAX_MIB 256

/* Bytes for the text of an error */
#define DATA_ERROR_TEXT 256

/* Bytes at the beginning of a file that show its kind */
#define DATA_MARK 12

/*
 * Write @profile to the descriptor @fd, which stays open, by a @mode of gzopen(3):
 * DATA_COMPRESSED or DATA_TEXT. 0 or -errno. Equal profiles give equal bytes.
 */
int profil_data_write(const struct profile *profile, int fd, const char *mode);

#define DATA_COMPRESSED "wb4"
#define DATA_TEXT "wT"

/* The first @size bytes of a file, of DATA_MARK, are those of a profil.data. */
bool profil_data_is(const void *bytes, size_t size);

/*
 * Read the descriptor @fd, a file or a pipe, from its position on into @profile,
 * which is initialized: 0 or -1. The descriptor stays open. The file is not trusted.
 * On an error @profile is empty, and @text, of DATA_ERROR_TEXT bytes, is the
 * sentence for the user that follows the name of the file.
 */
int profil_data_read(struct profile *profile, int fd, char *text);

#endif
