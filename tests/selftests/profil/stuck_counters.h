/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters in the file FUSE_STUCK. They are so large that START does not pin
 * their pages; the work of the session waits for the server at the first sample.
 */
#ifndef PROFIL_TEST_STUCK_COUNTERS_H
#define PROFIL_TEST_STUCK_COUNTERS_H

#include "fuse.h"

#define STUCK_BYTES ((size_t)FUSE_FILE_BYTES)

/* The counter of this site is on a page that the server does not deliver. */
#define STUCK_SITE (NR_SITES / 2)

/* Map counters in the open file @file. NULL on error. */
void *stuck_counters_map(int file);

/*
 * Start a session with counters for all sites in STUCK_BYTES at @counters. Return
 * 0 or a negative errno.
 */
int stuck_counters_start(int fd, void *counters);

#endif /* PROFIL_TEST_STUCK_COUNTERS_H */
