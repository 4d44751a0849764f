// SPDX-License-Identifier: GPL-2.0-only
#include "buffer.h"

int start_buffer(int fd, void *counters, size_t size, __u32 scale)
{
	return start_one(fd, region_of(counters, size, profil_sites, scale), 8,
			 FAST_NS, 0);
}

bool hit_until(int fd, unsigned int nr, const void *at, __u32 width,
	       __u64 count)
{
	return EVENTUALLY(counter(at, width, 0) >= count,
			  (spin(nr, NSEC_PER_MSEC), stats_now(fd)));
}

bool wait_for_pinned(int fd, __u64 pages)
{
	return WAIT_FOR(stats_now(fd).pinned_pages == pages);
}

void *stuck_counters_map(int file)
{
	void *counters = mmap(NULL, STUCK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE, file, 0);

	return counters == MAP_FAILED ? NULL : counters;
}
