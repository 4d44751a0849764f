// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions by IRIX's rules
 *
 * "Profiling is turned off for the specified region of text space if a pr_base
 * update would cause a memory fault", and EFAULT is for profp and tvp. The
 * driver refuses a whole list for one bad region, without naming the region.
 * Each region is then tried alone, at an offset that no program counter has.
 *
 * The overflow bin is "the first counter of the specified pr_base", whatever its
 * pr_size: a program that passes 1 means one counter. A pr_size of 0 is off.
 */
#include <errno.h>
#include <stdbool.h>

#include "api/dialect.h"
#include "core/driver.h"

static struct profil_region *regions_of(const struct profil_start *start)
{
	return (struct profil_region *)(uintptr_t)start->regions;
}

static int prepare(const struct profil_start *start, uint32_t i)
{
	struct profil_region *region = &regions_of(start)[i];
	bool is_bin = region->flags & PROFIL_REGION_OVERFLOW;

	if (is_bin && region->size && region->size < start->width)
		region->size = start->width;
	if (is_bin && region->size && i + 1 < start->nr_regions)
		return -EINVAL;
	if (region->base % start->width)
		region->size = 0;
	return 0;
}

/* Try @region in a session that counts nothing: 0 or -errno */
static int try_alone(const struct profil_start *start,
		     const struct profil_region *region)
{
	struct profil_region alone = {
		.base = region->base,
		.size = region->size,
		.offset = UINT64_MAX,
		.scale = 2,
	};
	struct profil_start trial = *start;

	trial.nr_regions = 1;
	trial.regions = (uintptr_t)&alone;
	return profil_driver_start(&trial);
}

static int switch_off_bad(const struct profil_start *start)
{
	for (uint32_t i = 0; i < start->nr_regions; i++) {
		struct profil_region *region = &regions_of(start)[i];
		int ret = try_alone(start, region);

		if (ret == -EFAULT)
			region->size = 0;
		else if (ret)
			return ret;
	}
	return 0;
}

int profil_irix_start(struct profil_start *start)
{
	int ret;

	for (uint32_t i = 0; i < start->nr_regions; i++)
		if (prepare(start, i))
			return -EINVAL;
	ret = profil_driver_start(start);
	if (ret != -EFAULT)
		return ret;
	ret = switch_off_bad(start);
	return ret ? ret : profil_driver_start(start);
}

/* With its only region off, no profile is on, which is no error. */
int profil_irix_switch(struct one_region *one)
{
	int ret;

	one->everything = !one->offset && one->scale == 2;
	if (one->everything && one->size == 1)
		one->size = sizeof(*one->buf);
	if ((uintptr_t)one->buf % sizeof(*one->buf))
		one->size = 0;
	ret = profil_one_region_switch(one);
	return ret == -EFAULT ? 0 : ret;
}
