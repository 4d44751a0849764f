// SPDX-License-Identifier: GPL-2.0-only
#include "buffer.h"

int start_buffer(int fd, void *counters, size_t size, __u32 scale)
{
	struct profil_region region =
		region_of(counters, size, profil_sites, scale);
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	return start(fd, &args);
}

bool hit_until(int fd, unsigned int nr, const void *at, __u32 width,
	       __u64 count)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (counter(at, width, 0) < count) {
		if (wall_ns() > until)
			return false;
		spin(nr, NSEC_PER_MSEC);
		stats_now(fd);
	}
	return true;
}

bool wait_for_pinned(int fd, __u64 pages)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (stats_now(fd).pinned_pages != pages) {
		if (wall_ns() > until)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}
