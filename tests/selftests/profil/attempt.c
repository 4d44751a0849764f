// SPDX-License-Identifier: GPL-2.0-only
#include "attempt.h"

#include <string.h>
#include <sys/mman.h>

size_t known_size(unsigned long command)
{
	if (command == PROFIL_IOC_VERSION)
		return sizeof(struct profil_version);
	if (command == PROFIL_IOC_START)
		return sizeof(struct profil_start);
	return sizeof(struct profil_stats);
}

void set_up(struct attempt *attempt, unsigned long command, size_t size)
{
	memset(attempt, 0, sizeof(*attempt));
	attempt->regions[0] = region_of((void *)OTHER_COUNTERS, 128,
					profil_sites, SITE_SCALE(2));
	attempt->regions[1] = attempt->regions[0];
	if (command == PROFIL_IOC_VERSION)
		attempt->version = version_blank();
	else if (command == PROFIL_IOC_START)
		attempt->start = start_of(attempt->regions, 2, 2, FAST_NS);
	else
		attempt->stats = stats_blank(attempt->states, 2);
	attempt->start.size = (__u32)size;
}

static bool map_at(unsigned long address, int protection, int flags)
{
	return mmap((void *)address, MIB, protection,
		    flags | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == (void *)address;
}

/* Reserve the whole range first, so that the unmapped part is surely a hole. */
bool map_arena(void)
{
	void *arena = mmap((void *)ARENA, ARENA_BYTES, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			   -1, 0);

	return arena == (void *)ARENA &&
	       map_at(COUNTERS, PROT_READ | PROT_WRITE, MAP_PRIVATE) &&
	       map_at(READONLY, PROT_READ, MAP_PRIVATE) &&
	       map_at(SHARED, PROT_READ | PROT_WRITE, MAP_SHARED) &&
	       !munmap((void *)HOLE, MIB);
}

int start_witness(int fd)
{
	return start_sites(fd, (void *)COUNTERS, 2, FAST_NS);
}

bool witness_runs(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return !stats(fd, &seen) && seen.flags == PROFIL_STATS_SESSION &&
	       seen.nr_regions == 1 && seen.period_ns == FAST_NS &&
	       adds_up(&seen);
}

bool witness_counts(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 before = counter((void *)COUNTERS, 2, 5);

	return spin_until(5, (void *)COUNTERS, 2, before + 2) &&
	       !stats(fd, &seen) &&
	       counters_sum((void *)COUNTERS, 2, NR_SITES) == seen.hits &&
	       all_bytes((void *)OTHER_COUNTERS, 0, 128);
}
