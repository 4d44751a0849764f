/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Spool: a directory of recordings that wait for a server
 *
 * Each is a profil.data of a part of the time, named by its beginning: the first
 * name is the oldest.
 */
#ifndef PROFIL_PUSH_SPOOL_H
#define PROFIL_PUSH_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/**
 * struct spool - a spool
 * @directory: its path
 * @limit: bytes of its files at most
 */
struct spool {
	const char *directory;
	uint64_t limit;
};

/**
 * struct spool_state - what is in a spool
 * @oldest: path of the oldest file, or ""
 * @files: number of files
 * @bytes: sum of their sizes
 */
struct spool_state {
	char oldest[PATH_MAX];
	uint64_t files;
	uint64_t bytes;
};

/* Make the directory; exits with a sentence if it cannot be used. */
void profil_spool_require(const struct spool *spool);

/* Add @profile: 0 or -errno. The file has its name when it is complete. */
int profil_spool_add(const struct spool *spool, const struct profile *profile);

struct spool_state profil_spool_look(const struct spool *spool);

/* Remove the oldest files until the rest is in the limit; the number of them */
uint64_t profil_spool_trim(const struct spool *spool);

#endif
