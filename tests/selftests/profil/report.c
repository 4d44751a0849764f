// SPDX-License-Identifier: GPL-2.0-only
#include "report.h"

struct report *new_report(void)
{
	return new_shared(sizeof(struct report));
}

int start_with_totals(int fd, void *counters, __u64 period_ns,
		      struct profil_totals *totals)
{
	struct profil_region region = sites_region(counters, 4);
	struct profil_start args = start_of(&region, 1, 4, period_ns);

	args.totals = (uintptr_t)totals;
	return start(fd, &args);
}

bool has_session(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return !stats(fd, &seen) && seen.flags & PROFIL_STATS_SESSION;
}

bool all_ended(volatile struct profil_totals *totals)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (totals->ended != totals->sessions && wall_ns() < until)
		sleep_ns(NSEC_PER_MSEC);
	return totals->ended == totals->sessions &&
	       totals->hits + totals->outside + totals->lost == totals->samples;
}
