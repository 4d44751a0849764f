/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffers of any size, with a page for the counters of each site if need be. */
#ifndef PROFIL_TEST_BUFFER_H
#define PROFIL_TEST_BUFFER_H

#include "common.h"

#define MIB 0x100000UL
#define LARGE (64 * MIB) /* no driver would pin this at START */

/* With 64-bit counters, those of each site have a page of their own. */
#define PAGE_SCALE ((__u32)page_size() * (0x10000 / SITE_BYTES))

/*
 * Start counting sites in @size bytes of 64-bit counters, whether they are all
 * needed or not.
 */
int start_buffer(int fd, void *counters, size_t size, __u32 scale);

/*
 * As spin_until_at(), but never so far ahead of the driver's work that it could
 * lose a sample, for tests that say that none is lost.
 */
bool hit_until(int fd, unsigned int nr, const void *at, __u32 width,
	       __u64 count);

/* Wait till the session has @pages pinned. False if that takes too long. */
bool wait_for_pinned(int fd, __u64 pages);

#endif /* PROFIL_TEST_BUFFER_H */
