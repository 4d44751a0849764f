// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AIX's profil(), which has two syntaxes
 *
 * Only the syntax that has switched profiling on may switch it off, and a profile
 * that is on is not replaced. AIX has two errors; every reason for which the
 * driver cannot count at an address, including the limit on locked memory, is
 * EFAULT.
 *
 * A profile whose counters are all unmapped no longer counts, and can be
 * replaced: for the program that has unmapped them it is over.
 */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include "aix/profil_aix.h"
#include "aix/ranges.h"
#include "core/driver.h"
#include "core/owner.h"
#include "core/pages.h"
#include "core/result.h"
#include "core/user_copy.h"

#define EXPORT __attribute__((visibility("default")))

enum syntax { NEITHER, BUFFER, ARRAY };

/* Syntax that started the profile of @generation, which may have ended */
static atomic_int syntax;
static atomic_uint generation;

/* Number of its first regions, which have counters of the program's */
static atomic_uint regions;

static bool is_on_by(enum syntax wanted)
{
	return !profil_owner_is(NULL) && atomic_load(&syntax) == (int)wanted &&
	       atomic_load(&generation) == profil_owner_generation();
}

/* Whether any region counts; assumed if there is no memory to find out */
static bool any_counts(struct profil_stats *stats)
{
	uint32_t *states = profil_pages(stats->nr_states * sizeof(*states));
	bool counts;

	if (!states)
		return true;
	stats->states = (uintptr_t)states;
	counts = profil_device(PROFIL_IOC_STATS, stats);
	for (uint32_t i = 0; i < stats->nr_states && !counts; i++)
		counts = states[i] == PROFIL_REGION_ON ||
			 states[i] == PROFIL_REGION_LIMIT;
	munmap(states, stats->nr_states * sizeof(*states));
	return counts;
}

/* In profiles by other calls, all regions have counters of the program's. */
static bool goes_on(void)
{
	struct profil_stats stats = { .size = sizeof(stats) };

	if (!profil_driver_is_owner())
		return !profil_owner_is(NULL);
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
 * Scale that maps the range to the counters, reduced if the range's last bytes
 * would be rounded up to a counter after the last.
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

/* EINVAL is only for the order of the array; other errors become EFAULT. */
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
