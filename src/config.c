// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "config.h"
#include "quota.h"

u32 profil_clock_tick_source __ro_after_init;

/* Hard lower bound, so that root cannot starve a CPU with interrupts. */
#define PERIOD_FLOOR_US 10

static bool restrict_fastprof;
module_param(restrict_fastprof, bool, 0644);
MODULE_PARM_DESC(restrict_fastprof, "refuse periods shorter than the tick");

static unsigned int min_period_us = 100;
module_param(min_period_us, uint, 0644);
MODULE_PARM_DESC(min_period_us,
		 "shortest period, in microseconds (10 or more)");

static u64 shortest_period_ns(void)
{
	return (u64)max_t(u32, READ_ONCE(min_period_us), PERIOD_FLOOR_US) *
	       NSEC_PER_USEC;
}

/* Without high-resolution timers no timer is finer than the tick. */
static bool fast_allowed(void)
{
	return !READ_ONCE(restrict_fastprof) && hrtimer_resolution < TICK_NSEC;
}

u64 profil_config_min_period_ns(void)
{
	u64 shortest = shortest_period_ns();

	return fast_allowed() ? shortest : max_t(u64, shortest, TICK_NSEC);
}

int profil_config_check_period(u64 period_ns)
{
	if (!period_ns)
		return 0;
	if (period_ns < shortest_period_ns() || period_ns > NSEC_PER_SEC)
		return -EINVAL;
	if (period_ns < TICK_NSEC && !fast_allowed())
		return -EACCES;
	return 0;
}

static int check_start(const struct profil_start *start)
{
	if (start->flags & ~PROFIL_START_FLAGS)
		return -EINVAL;
	if (start->width != 2 && start->width != 4 && start->width != 8)
		return -EINVAL;
	if (!start->nr_regions)
		return -EINVAL;
	if (start->nr_regions > PROFIL_MAX_REGIONS)
		return -E2BIG;
	return profil_config_check_period(start->period_ns);
}

/* Counters of an enabled region must lie in user space; size is below 2^64. */
static int check_region(const struct profil_region *region, u8 shift)
{
	u64 end;

	if (region->flags & ~PROFIL_REGION_FLAGS)
		return -EINVAL;
	if (!profil_region_enabled(region, shift))
		return 0;
	if (region->base & ((1U << shift) - 1))
		return -EINVAL;
	if (check_add_overflow(region->base, region->size, &end) ||
	    region->base != (uintptr_t)region->base ||
	    region->size != (size_t)region->size ||
	    !access_ok((void __user *)(uintptr_t)region->base, region->size))
		return -EFAULT;
	return 0;
}

static int check_regions(const struct config *config)
{
	u32 i;
	int err;

	for (i = 0; i < config->map.nr_regions; i++) {
		err = check_region(&config->map.regions[i], config->map.shift);
		if (err)
			return err;
	}
	return 0;
}

/* One allocation holds the regions, and the spans behind them. */
static struct config *config_alloc(u32 nr_regions)
{
	struct config *config = kzalloc(sizeof(*config), GFP_KERNEL_ACCOUNT);
	struct profil_region *regions;

	if (!config)
		return NULL;
	regions = kvzalloc(nr_regions * sizeof(*regions) +
				   REGION_MAX_SPANS(nr_regions) *
					   sizeof(struct region_span),
			   GFP_KERNEL_ACCOUNT);
	if (!regions) {
		kfree(config);
		return NULL;
	}
	config->map.regions = regions;
	config->map.spans = (struct region_span *)(regions + nr_regions);
	config->map.nr_regions = nr_regions;
	refcount_set(&config->users, 1);
	return config;
}

/* Rounding up scales bytes of text in any case. */
static enum scale_rule rule_of(u32 flags)
{
	if (flags & PROFIL_F_ROUND_UP)
		return SCALE_UP;
	return flags & PROFIL_F_BYTES ? SCALE_BYTES : SCALE_WIDTHS;
}

static void config_fill(struct config *config, const struct profil_start *start)
{
	config->flags = start->flags;
	config->period_ns = start->period_ns;
	config->is_timed = clock_needs_timer(start->period_ns);
	profil_pins_init(&config->pins);
	config->counter_max = U64_MAX >> (64 - 8 * start->width);
	if (start->flags & PROFIL_F_STOP_AT_32767)
		config->counter_max = 32767;
	config->map.shift = ilog2(start->width);
	config->map.rule = rule_of(start->flags);
}

/*
 * Cut off a last counter that does not fit as a whole, so that its page is not pinned
 * either, and the upper bits of addresses where the processor ignores them.
 */
static void trim_regions(struct profil_region *regions, u32 nr, u64 width)
{
	while (nr--) {
		regions[nr].size &= ~(width - 1);
		regions[nr].base = untagged_addr(regions[nr].base);
	}
}

static int config_resolve(struct config *config)
{
	u32 *scratch = kvmalloc_array(config->map.nr_regions,
				      2 * sizeof(*scratch), GFP_KERNEL_ACCOUNT);

	if (!scratch)
		return -ENOMEM;
	profil_region_map_build(&config->map, scratch);
	kvfree(scratch);
	return 0;
}

struct config *profil_config_create(const struct profil_start *start)
{
	int err = check_start(start);
	struct config *config;

	if (err)
		return ERR_PTR(err);
	config = config_alloc(start->nr_regions);
	if (!config)
		return ERR_PTR(-ENOMEM);
	config_fill(config, start);
	err = -ENOMEM;
	config->user = profil_quota_of_user();
	if (!config->user)
		goto put;
	err = -EFAULT;
	if (copy_from_user((void *)config->map.regions,
			   (void __user *)(uintptr_t)start->regions,
			   start->nr_regions * sizeof(struct profil_region)))
		goto put;
	err = check_regions(config);
	if (err)
		goto put;
	trim_regions((void *)config->map.regions, start->nr_regions,
		     start->width);
	err = config_resolve(config);
	if (!err)
		return config;
put:
	profil_config_put(config);
	return ERR_PTR(err);
}

/*
 * Regions and spans are large, and a program may START in a loop: they are freed without
 * waiting for RCU. Samples and notifiers, who alone read them, have ended in retire_session().
 */
void profil_config_put(struct config *config)
{
	if (!refcount_dec_and_test(&config->users))
		return;
	if (config->user)
		profil_quota_put(config->user);
	profil_pins_release(&config->pins);
	kvfree(config->map.regions);
	kfree_rcu(config, rcu);
}
