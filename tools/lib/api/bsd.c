// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * 4.4BSD's profil(): "scale ranges from 1 to 65536"
 *
 * A scale of 1 is off for the driver and every other dialect. A scale of 2 is a
 * counter per 64 KiB, so each counter gets two regions. The regions suffice for
 * 2047 counters, 256 MiB of text; the rest of a longer buffer is not used.
 *
 * NULL is an illegal address like any other, and so is an odd one: counters are
 * incremented in one step.
 */
#include <errno.h>

#include "api/dialect.h"
#include "core/driver.h"
#include "core/fallback.h"
#include "core/pages.h"

#define HALF 0x10000
#define MOST_COUNTERS ((PROFIL_MAX_REGIONS - 1) / 2)

static uint32_t nr_counters(const struct one_region *one)
{
	size_t room = one->size / sizeof(*one->buf);

	return room < MOST_COUNTERS ? room : MOST_COUNTERS;
}

/* The whole buffer, for the driver to check, at an offset that no PC has */
static struct profil_region whole(const struct one_region *one)
{
	return (struct profil_region){
		.base = (uintptr_t)one->buf,
		.size = one->size,
		.offset = UINT64_MAX,
		.scale = 2,
	};
}

static uint32_t list_regions(const struct one_region *one,
			     struct profil_region *regions)
{
	uint32_t halves = 2 * nr_counters(one);
	uint32_t nr = 0;

	regions[nr++] = whole(one);
	for (uint32_t i = 0; i < halves; i++) {
		uint64_t distance = (uint64_t)i * HALF;

		if (distance > UINT64_MAX - one->offset)
			break;
		regions[nr++] = (struct profil_region){
			.base = (uintptr_t)&one->buf[i / 2],
			.size = sizeof(*one->buf),
			.offset = one->offset + distance,
			.scale = 2,
		};
	}
	return nr;
}

static int start_coarse(const struct one_region *one)
{
	size_t size = PROFIL_MAX_REGIONS * sizeof(struct profil_region);
	struct profil_start start = {
		.size = sizeof(start),
		.width = sizeof(*one->buf),
	};
	void *regions = profil_pages(size);
	int ret;

	if (!regions)
		return -ENOMEM;
	start.nr_regions = list_regions(one, regions);
	start.regions = (uintptr_t)regions;
	ret = profil_driver_start(&start);
	munmap(regions, size);
	return ret;
}

static int switch_coarse(const struct one_region *one)
{
	int ret = start_coarse(one);

	if (ret == -ENODEV)
		return profil_fallback_profil(one->buf, one->size, one->offset,
					      one->scale);
	if (ret)
		profil_driver_stop();
	return ret;
}

int profil_bsd_switch(struct one_region *one)
{
	bool has_room = one->size >= sizeof(*one->buf);
	int ret = has_room && one->scale == 1 ? switch_coarse(one) :
						profil_one_region_switch(one);

	return ret == -EINVAL ? -EFAULT : ret;
}
