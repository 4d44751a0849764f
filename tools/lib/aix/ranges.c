// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Ranges of text with an explicit end
 *
 * A region of the driver ends with its counters. A range ends at p_high, which
 * may be in the middle of a counter's text. A second region, whose counters are
 * discarded, begins there: it has the larger offset and so has precedence.
 */
#include <errno.h>

#include "aix/ranges.h"
#include "core/driver.h"
#include "core/pages.h"
#include "core/user_copy.h"

/* Counters for the rest of a counter's text, whose maximum is 64 KiB */
static HISTCOUNTER discarded[2];

/* Number of elements of the caller's array, without the last */
static int count_elements(const struct prof *array)
{
	struct prof element;

	for (int nr = 0; nr <= PROFIL_MAX_REGIONS; nr++) {
		if (profil_user_copy_from(&element, array + nr,
					  sizeof(element)))
			return -EFAULT;
		if (!element.p_high)
			return nr;
	}
	return -E2BIG;
}

static int map_ranges(struct ranges *ranges, uint32_t nr)
{
	size_t each = sizeof(*ranges->prof) + 2 * sizeof(*ranges->regions);
	void *memory = profil_pages(nr * each);

	if (!memory)
		return -ENOMEM;
	ranges->regions = memory;
	ranges->prof = (struct prof *)(ranges->regions + 2 * nr);
	ranges->nr = nr;
	ranges->nr_regions = 0;
	ranges->mapped = nr * each;
	return 0;
}

int profil_ranges_copy(struct ranges *ranges, const struct prof *array,
		       uint32_t nr)
{
	int count = nr ? (int)nr : count_elements(array);
	int ret = count < 0 ? count : -EINVAL;

	if (count > 0)
		ret = map_ranges(ranges, count);
	if (ret)
		return ret;
	ret = profil_user_copy_from(ranges->prof, array,
				    ranges->nr * sizeof(*array));
	if (ret)
		profil_ranges_free(ranges);
	return ret;
}

void profil_ranges_free(struct ranges *ranges)
{
	if (ranges->mapped)
		munmap(ranges->regions, ranges->mapped);
	*ranges = (struct ranges){ 0 };
}

bool profil_ranges_ascend(const struct ranges *ranges)
{
	for (uint32_t i = 1; i < ranges->nr; i++)
		if (ranges->prof[i].p_high <= ranges->prof[i - 1].p_high)
			return false;
	return true;
}

bool profil_ranges_adjoin(const struct ranges *ranges, size_t unit)
{
	for (uint32_t i = 1; i < ranges->nr; i++) {
		const struct prof *last = &ranges->prof[i - 1];
		uintptr_t end =
			(uintptr_t)last->p_buff + last->p_bufsize * unit;

		if ((uintptr_t)ranges->prof[i].p_buff != end)
			return false;
	}
	return true;
}

bool profil_ranges_contain(const struct ranges *ranges, uint64_t address)
{
	for (uint32_t i = 0; i < ranges->nr; i++)
		if (address >= (uintptr_t)ranges->prof[i].p_low &&
		    address < (uintptr_t)ranges->prof[i].p_high)
			return true;
	return false;
}

static uint64_t length(const struct prof *prof)
{
	return prof->p_high > prof->p_low ? prof->p_high - prof->p_low : 0;
}

uint32_t profil_ranges_scale(const struct prof *prof, uint32_t most)
{
	uint64_t bytes = length(prof);
	uint64_t scale = bytes ? ((uint64_t)prof->p_bufsize << 16) / bytes : 0;

	return scale < most ? scale : most;
}

/* For so long a distance, the counter's index exceeds any p_bufsize. */
static uint64_t last_counter(uint64_t distance, uint32_t scale, bool round_up)
{
	if (distance >> 47)
		return UINT32_MAX;
	if (!round_up)
		return (distance / 2 * scale) >> 16;
	return (((distance * scale) >> 16) + 1) / 2;
}

uint64_t profil_ranges_counters(const struct prof *prof, bool round_up)
{
	uint64_t room = (unsigned int)prof->p_bufsize / sizeof(HISTCOUNTER);
	uint64_t bytes = length(prof);
	uint64_t reached;

	if (!bytes || prof->p_scale < 2)
		return 0;
	reached = last_counter(bytes - 1, prof->p_scale, round_up) + 1;
	return reached < room ? reached : room;
}

static void add_region(struct ranges *ranges, struct profil_region region)
{
	ranges->regions[ranges->nr_regions++] = region;
}

static void add_rest(struct ranges *ranges, const struct prof *prof)
{
	add_region(ranges, (struct profil_region){
				   .base = (uintptr_t)prof->p_buff,
				   .size = sizeof(HISTCOUNTER),
				   .flags = PROFIL_REGION_OVERFLOW,
			   });
}

static void add_end(struct ranges *ranges, const struct prof *prof)
{
	add_region(ranges, (struct profil_region){
				   .base = (uintptr_t)discarded,
				   .size = sizeof(discarded),
				   .offset = (uintptr_t)prof->p_high,
				   .scale = 2,
			   });
}

static void add_range(struct ranges *ranges, uint32_t i, bool round_up)
{
	const struct prof *prof = &ranges->prof[i];
	uint64_t counters = profil_ranges_counters(prof, round_up);

	if (prof->p_scale == PROFIL_EVERYTHING && prof->p_bufsize > 1) {
		add_rest(ranges, prof);
		return;
	}
	add_region(ranges, (struct profil_region){
				   .base = (uintptr_t)prof->p_buff,
				   .size = counters * sizeof(HISTCOUNTER),
				   .offset = (uintptr_t)prof->p_low,
				   .scale = prof->p_scale,
			   });
}

/* Whether there is a gap between the range and the next one */
static bool has_end(const struct ranges *ranges, uint32_t i, bool round_up)
{
	const struct prof *prof = &ranges->prof[i];

	if (prof->p_scale == PROFIL_EVERYTHING && prof->p_bufsize > 1)
		return false;
	return profil_ranges_counters(prof, round_up) &&
	       (i + 1 == ranges->nr || prof[1].p_low > prof->p_high);
}

int profil_ranges_start(struct ranges *ranges, uint32_t flags)
{
	struct profil_start start = {
		.size = sizeof(start),
		.flags = flags,
		.width = sizeof(HISTCOUNTER),
		.regions = (uintptr_t)ranges->regions,
	};
	int ret;

	ranges->nr_regions = 0;
	for (uint32_t i = 0; i < ranges->nr; i++)
		add_range(ranges, i, flags & PROFIL_F_ROUND_UP);
	for (uint32_t i = 0; i < ranges->nr; i++)
		if (has_end(ranges, i, flags & PROFIL_F_ROUND_UP))
			add_end(ranges, &ranges->prof[i]);
	start.nr_regions = ranges->nr_regions;
	ret = profil_driver_start(&start);
	ranges->period_ns = start.period_ns;
	return ret;
}
