/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of profiling data in memory, and what is read of it
 *
 * Numbers are in the order of bytes of this machine. Whoever reads takes what
 * comes next; nothing is taken that is not there.
 */
#ifndef PROFIL_DATAFILE_H
#define PROFIL_DATAFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct datafile - a file, and how far it has been read
 * @path: its path
 * @bytes: what is in it
 * @size: how many bytes that is
 * @at: what comes next
 * @word: bytes of an address, 4 or 8
 * @sure: something in the file has confirmed @word
 * @wrong: what is wrong with it, if reading failed
 */
struct datafile {
	const char *path;
	const unsigned char *bytes;
	size_t size;
	size_t at;
	unsigned int word;
	bool sure;
	char wrong[256];
};

/* Read all of the file @path; exits if that cannot be done. */
void profil_datafile_open(struct datafile *file, const char *path);
void profil_datafile_close(struct datafile *file);

static inline size_t profil_datafile_left(const struct datafile *file)
{
	return file->size - file->at;
}

/*
 * The next @size bytes, which @part consists of; NULL if there are less. Then
 * nothing is taken, and @wrong says so.
 */
const unsigned char *profil_datafile_take(struct datafile *file, size_t size,
					  const char *part);

/* Set @wrong, as by printf(3); returns false for the caller to do the same. */
__attribute__((format(printf, 2, 3))) bool
profil_refuse(struct datafile *file, const char *format, ...);

/* Whether @wrong is NULL; what it says if not is wrong with the file. */
bool profil_accept(struct datafile *file, const char *wrong);

/* Numbers in bytes that have been taken, which need not be aligned */
int32_t profil_datafile_int(const unsigned char *bytes);
uint64_t profil_datafile_number(const unsigned char *bytes, size_t size);
uint64_t profil_datafile_word(const struct datafile *file,
			      const unsigned char *bytes);

#endif
