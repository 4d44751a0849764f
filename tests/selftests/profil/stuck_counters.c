// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"
#include "stuck_counters.h"

#include <sys/mman.h>

#define SITE_ROOM (STUCK_BYTES / NR_SITES)
#define SCALE (SITE_ROOM * (0x10000 / SITE_BYTES))

void *stuck_counters_map(int file)
{
	void *counters = mmap(NULL, STUCK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE, file, 0);

	if (counters == MAP_FAILED)
		return NULL;
	return madvise(counters, STUCK_BYTES, MADV_RANDOM) ? NULL : counters;
}

int stuck_counters_start(int fd, void *counters)
{
	struct profil_region region =
		region_of(counters, STUCK_BYTES, profil_sites, SCALE);
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	return start(fd, &args);
}
