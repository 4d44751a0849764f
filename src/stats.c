// SPDX-License-Identifier: GPL-2.0-only
#include <linux/jiffies.h>
#include <linux/nospec.h>
#include <linux/profil.h>
#include <linux/uaccess.h>

#include "session.h"
#include "stats.h"

static int copy_out_states(u64 to, u32 room, struct session *session)
{
	u32 __user *states = (u32 __user *)(uintptr_t)to;
	u32 i, nr = min(room, session->config->map.nr_regions);

	for (i = 0; i < nr; i++) {
		u32 at = array_index_nospec(i, nr);
		u32 state = profil_counters_state(&session->counters, at);

		if (put_user(state, &states[at]))
			return -EFAULT;
	}
	return 0;
}

/* Read hits, outside and lost once each: @samples is exactly their sum. */
static void fill(struct profil_stats *stats, struct session *session)
{
	struct tally *tally = &session->tally;
	u64 period = session->config->period_ns;

	stats->flags = PROFIL_STATS_SESSION;
	if (READ_ONCE(session->full))
		stats->flags |= PROFIL_STATS_FULL;
	stats->nr_regions = session->config->map.nr_regions;
	stats->period_ns = period ?: TICK_NSEC;
	stats->hits = atomic64_read(&tally->hits);
	stats->outside = atomic64_read(&tally->outside);
	stats->lost = atomic64_read(&tally->lost);
	stats->samples = stats->hits + stats->outside + stats->lost;
	stats->saturated = atomic64_read(&tally->saturated);
	stats->kernel_samples = atomic64_read(&tally->kernel_samples);
	stats->pinned_pages = atomic_long_read(&session->counters.pinned);
	stats->unprofiled_children = atomic64_read(&tally->unprofiled_children);
}

int profil_stats_fill(struct profil_stats *stats, struct session *session)
{
	*stats = (struct profil_stats){
		.size = stats->size,
		.nr_states = stats->nr_states,
		.states = stats->states,
	};
	if (!session)
		return 0;
	fill(stats, session);
	if (!stats->states)
		return 0;
	return copy_out_states(stats->states, stats->nr_states, session);
}
