/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers of any size. PAGE_SCALE gives each site's counter a page of its own.
 */
#ifndef PROFIL_TEST_BUFFER_H
#define PROFIL_TEST_BUFFER_H

#include "common.h"
#include "fuse.h"

#define MIB 0x100000UL
#define LARGE (64 * MIB) /* START does not pin so many pages */

/* A scale at which each site's 64-bit counters lie on a page of their own. */
#define PAGE_SCALE ((__u32)page_size() * (0x10000 / SITE_BYTES))

/* Start to count all sites in @size bytes of 64-bit counters. */
int start_buffer(int fd, void *counters, size_t size, __u32 scale);

/*
 * Like spin_until_at(), with a STATS call after each millisecond: the driver then
 * records all deferred samples, and loses none to a full ring.
 */
bool hit_until(int fd, unsigned int nr, const void *at, __u32 width,
	       __u64 count);

/* Wait until the session has @pages pinned. False after TIMEOUT_NS. */
bool wait_for_pinned(int fd, __u64 pages);

/*
 * Counters in the file FUSE_STUCK. They are so large that START does not pin
 * their pages; the thread of the first sample waits for the server.
 */
#define STUCK_BYTES ((size_t)FUSE_FILE_BYTES)

/* The counter of this site is on a page that the server does not deliver. */
#define STUCK_SITE (NR_SITES / 2)

/* Map counters in the open file @file. NULL on error. */
void *stuck_counters_map(int file);

/* The scale at which all sites have their parts of STUCK_BYTES */
#define STUCK_SCALE (STUCK_BYTES / NR_SITES * (0x10000 / SITE_BYTES))

#endif /* PROFIL_TEST_BUFFER_H */
