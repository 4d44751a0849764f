// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AIX's profil(), which comes in two syntaxes
 *
 * Only the syntax that has switched profiling on may switch it off, and what is
 * on is not replaced. AIX knows two errors: whatever keeps the driver from
 * counting at an address, a lock on memory that cannot be had among them, is
 * EFAULT there.
 *
 * A profile of which all counters are unmapped counts nothing any more, and can
 * be replaced: to the program that has unmapped them, it is over.
 */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "aix/profil_aix.h"
#include "aix/ranges.h"
#include "core/driver.h"
#include "core/owner.h"
#include "core/result.h"
#include "core/user_copy.h"

#define EXPORT __attribute__((visibility("default")))

enum syntax { NEITHER, BUFFER, ARRAY };

/* The syntax that has begun the profile of that generation, which may be over. */
static atomic_int syntax;
static atomic_uint generation;

/* Its regions that have counters of the program's, the first ones */
static atomic_uint regions;

static bool is_on_by(enum syntax wanted)
{
	return profil_owner_is_program() &&
	       atomic_load(&syntax) == (int)wanted &&
	       atomic_load(&generation) == profil_owner_generation();
}

/* Without memory to tell, it is taken to count. */
static bool any_counts(struct profil_stats *stats)
{
	uint32_t *states = mmap(NULL, stats->nr_states * sizeof(*states),
				PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool counts = states == MAP_FAILED;

	if (counts)
		return true;
	stats->states = (uintptr_t)states;
	if (profil_device(PROFIL_IOC_STATS, stats))
		counts = true;
	for (uint32_t i = 0; i < stats->nr_states && !counts; i++)
		counts = states[i] == PROFIL_REGION_ON ||
			 states[i] == PROFIL_REGION_LIMIT;
	munmap(states, stats->nr_states * sizeof(*states));
	return counts;
}

/* Others have no regions but those with counters of the program's. */
static bool goes_on(void)
{
	struct profil_stats stats = { .size = sizeof(stats) };

	if (!profil_driver_is_owner())
		return profil_owner_is_program();
	if (profil_device(PROFIL_IOC_STATS, &stats) || !stats.nr_regions)
		return true;
	stats.nr_states = stats.nr_regions;
	if (atomic_load(&generation) == profil_owner_generation())
		stats.nr_states = atomic_load(&regions);
	return any_counts(&stats);
}

static int started(enum syntax by, uint32_t nr, int ret)
{
	if (ret == -EINVAL || ret == -ENOMEM || ret == -E2BIG)
		return -EFAULT;
	if (!ret) {
		atomic_store(&regions, nr);
		atomic_store(&generation, profil_owner_generation());
		atomic_store(&syntax, by);
	}
	return ret;
}

static int switch_buffer(struct one_region *one)
{
	one->scale &= 0xffff;
	one->everything = one->scale == 2;
	one->flags = PROFIL_F_ROUND_UP;
	if (!profil_one_region_is_on(one))
		return is_on_by(BUFFER) ? profil_one_region_switch(one) : 0;
	if (goes_on())
		return 0;
	return started(BUFFER, 1, profil_one_region_switch(one));
}

/*
 * The size for the range; or less, where by that the range's last bytes would be
 * rounded up to a counter that is not there.
 */
static uint32_t scale_for(const struct prof *prof)
{
	uint64_t counters = (unsigned int)prof->p_bufsize / sizeof(HISTCOUNTER);
	uint32_t most = profil_ranges_scale(prof, 0xffff);
	uint64_t last;

	if (!counters || most <= 2 || prof->p_high - prof->p_low < 2)
		return most;
	last = (((2 * counters - 1) << 16) - 1) /
	       (prof->p_high - prof->p_low - 1);
	if (last < 2)
		return 2;
	return last < most ? last : most;
}

static void find_scale(struct prof *prof)
{
	if (prof->p_scale == UINT_MAX) {
		prof->p_scale = scale_for(prof);
		return;
	}
	prof->p_scale &= 0xffff;
	if (prof->p_scale == 2)
		prof->p_scale = PROFIL_EVERYTHING;
}

/* The contents of the array are its caller's fault, the rest is resources. */
static int start_ranges(struct ranges *ranges)
{
	if (!profil_ranges_ascend(ranges))
		return -EINVAL;
	for (uint32_t i = 0; i < ranges->nr; i++)
		find_scale(&ranges->prof[i]);
	return started(ARRAY, ranges->nr,
		       profil_ranges_start(ranges, PROFIL_F_ROUND_UP));
}

static int start_array(const struct prof *array)
{
	struct ranges ranges;
	int ret = profil_ranges_copy(&ranges, array, 0);

	if (ret)
		return -EFAULT;
	ret = start_ranges(&ranges);
	profil_ranges_free(&ranges);
	return ret;
}

static int switch_array(const struct prof *array)
{
	struct prof first;

	if (profil_user_copy_from(&first, array, sizeof(first)))
		return -EFAULT;
	if (!first.p_high)
		return is_on_by(ARRAY) ? profil_driver_stop() : 0;
	return goes_on() ? 0 : start_array(array);
}

int profil_aix_switch(struct one_region *one)
{
	if (one->size == UINT_MAX || one->size == SIZE_MAX)
		return switch_array((const struct prof *)one->buf);
	return switch_buffer(one);
}

EXPORT int profil_aix(void *buffer, unsigned int size, unsigned long offset,
		      unsigned int scale)
{
	struct one_region one = { buffer, size, offset, scale, 0, false };
	int saved = errno;

	return profil_result(profil_aix_switch(&one), saved);
}
