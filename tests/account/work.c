// SPDX-License-Identifier: GPL-2.0-only
#include "work.h"

#include <errno.h>

#include "busy_threads.h"

/* Periods in tenths of the shortest one */
static const __u64 tenths[] = { 10, 12, 15, 20, 50, 100 };

#define THREADS_MAX 6
#define WORK_NS NSEC_PER_SEC

/*
 * An emulated CPU that keeps to the host's clock would have no time for anything
 * but interrupts.
 */
unsigned int shortest_period_us(void)
{
	return machine_counts() ? 10 : 50;
}

struct plan plan_draw(struct stream *stream)
{
	struct plan plan = {
		.width = 2U << draw_below(stream, 3),
		.nr_regions = 1U << draw_below(stream, 4),
	};

	plan.period_ns = tenths[draw_below(stream, ARRAY_LENGTH(tenths))] *
			 shortest_period_us() * NSEC_PER_USEC / 10;
	plan.without = (__u32)draw_below(stream, 2 * plan.nr_regions);
	if (plan.without > plan.nr_regions)
		plan.without = plan.nr_regions;
	return plan;
}

struct work work_draw(struct stream *stream)
{
	struct work work = {
		.nr = 1 + (unsigned int)draw_below(stream, THREADS_MAX),
		.ns = WORK_NS,
	};

	work.first = (unsigned int)draw_below(stream, NR_SITES - work.nr);
	return work;
}

int work_do(const struct work *work)
{
	int error = busy_threads_begin(work->nr, work->first, true);

	if (error)
		return -error;
	sleep_ns(work->ns);
	busy_threads_end();
	return 0;
}

static struct profil_region region_of_part(const struct plan *plan,
					   unsigned int part, char *counters)
{
	unsigned int sites = NR_SITES / plan->nr_regions, first = part * sites;

	return region_of(counters + first * plan->width,
			 (size_t)sites * plan->width, site(first),
			 SITE_SCALE(plan->width));
}

int plan_start(int fd, const struct plan *plan, void *counters)
{
	struct profil_region regions[REGIONS_MAX];
	unsigned int part, nr = 0;
	struct profil_start args;

	for (part = 0; part < plan->nr_regions; part++)
		if (part != plan->without)
			regions[nr++] = region_of_part(plan, part, counters);
	/* A session has a region, if only one that is switched off. */
	if (!nr)
		regions[nr++] = region_of(counters, plan->width, site(0), 0);
	args = start_of(regions, nr, plan->width, plan->period_ns);
	return start(fd, &args);
}

void outcome_take(struct outcome *outcome, int fd, const struct plan *plan,
		  const struct work *work, const void *counters)
{
	unsigned int i;

	outcome->stats = stats_blank(NULL, 0);
	outcome->error = stop(fd, &outcome->stats);
	outcome->sum = counters_sum(counters, plan->width, NR_SITES);
	outcome->elsewhere = outcome->sum;
	for (i = 0; i < work->nr; i++)
		outcome->elsewhere -=
			counter(counters, plan->width, work->first + i);
}

bool outcome_adds_up(const struct outcome *outcome)
{
	const struct profil_stats *stats = &outcome->stats;

	return adds_up(stats) && outcome->sum == stats->hits - stats->saturated;
}

__u64 samples_at_most(__u64 ns, __u64 switches, __u64 period_ns)
{
	return ns / period_ns + 2 * (switches + 1);
}
