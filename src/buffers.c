// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "buffers.h"
#include "config.h"
#include "counters.h"
#include "mappings.h"

/*
 * Check a buffer that is too large to pin: mapped and writable from end to end.
 * One page in each mapping is pinned, which shows that the mapping can be, and is
 * writable. All addresses below @seen have been checked; @seen is raised to the end
 * of the last mapping.
 */
static int check_writable(struct counters *counters, u32 i, unsigned long *seen)
{
	const struct profil_region *region = &counters->config->map.regions[i];
	struct mm_struct *mm = counters->notifier.mm;
	unsigned long addr = max_t(unsigned long, region->base, *seen);

	while (addr < region->base + region->size) {
		int err;

		*seen = profil_mappings_reach(mm, addr, addr + 1);
		if (IS_ERR_VALUE(*seen))
			return *seen;
		if (*seen == addr)
			return -EFAULT;
		err = profil_counters_pin(counters, i, addr, addr);
		if (err)
			return err;
		cond_resched();
		addr = *seen;
	}
	return 0;
}

static int pin_region(struct counters *counters, u32 i)
{
	const struct profil_region *region = &counters->config->map.regions[i];

	return profil_counters_pin(counters, i, region->base,
				   region->base + region->size - 1);
}

static int by_base(const void *a, const void *b, const void *priv)
{
	const struct config *config = priv;
	u64 x = config->map.regions[*(const u32 *)a].base;
	u64 y = config->map.regions[*(const u32 *)b].base;

	return x < y ? -1 : x > y;
}

/* List in @order the regions that count, by the addresses of their counters. */
static u32 sort_regions(const struct counters *counters, u32 *order)
{
	const struct config *config = counters->config;
	u32 i, nr = 0;

	for (i = 0; i < config->map.nr_regions; i++)
		if (counters_live(counters, i))
			order[nr++] = i;
	sort_r(order, nr, sizeof(*order), by_base, NULL, config);
	return nr;
}

/*
 * Go through the buffers in the order of addresses, so that no mapping is
 * checked twice, however many regions have counters in it.
 */
static int open_in_order(struct counters *counters, u32 *order)
{
	u32 i, nr = sort_regions(counters, order);
	unsigned long seen = 0;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		if (counters->small)
			err = pin_region(counters, order[i]);
		else
			err = check_writable(counters, order[i], &seen);
	}
	/* EAGAIN: the program keeps changing the mappings of the buffer. */
	return err == -EAGAIN ? -EFAULT : err;
}

int profil_buffers_pin(struct counters *counters)
{
	u32 *order = kvmalloc_array(counters->config->map.nr_regions,
				    sizeof(*order), GFP_KERNEL_ACCOUNT);
	int err;

	if (!order)
		return -ENOMEM;
	err = open_in_order(counters, order);
	kvfree(order);
	return err;
}

/*
 * A child lacks mappings of its parent that are not copied (MADV_DONTFORK).
 * Memory that the child maps there later does not hold counters, and no
 * notifier reports it. Regions within @from to @to, the part last found mapped,
 * need no new search.
 */
int profil_buffers_inherit(struct counters *counters, struct mm_struct *mm)
{
	const struct region_map *map = &counters->config->map;
	unsigned long from = 0, to = 0;
	u32 i;

	for (i = 0; i < map->nr_regions; i++) {
		const struct profil_region *region = &map->regions[i];
		unsigned long end = region->base + region->size;

		if (!counters_live(counters, i))
			continue;
		if (region->base < from || end > to) {
			from = region->base;
			to = profil_mappings_reach(mm, from, end);
		}
		if (IS_ERR_VALUE(to))
			return to;
		if (end > to)
			profil_counters_end_region(counters, i,
						   PROFIL_REGION_UNMAPPED);
		cond_resched();
	}
	return 0;
}
