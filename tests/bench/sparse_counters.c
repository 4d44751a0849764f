// SPDX-License-Identifier: GPL-2.0-only
/*
 * sparse_counters: samples spread over 16 MiB of counters for the wide text
 */
#include "bench.h"

#define WIDE_ROUNDS 250
#define TEN_KHZ (NSEC_PER_MSEC / 10)

static __u64 samples_now(void)
{
	struct profil_stats stats;

	driver_stats(&stats);
	if (stats.lost)
		die("%llu samples were lost.", stats.lost);
	return stats.samples;
}

/* The cost of a sample with all pages pinned before (@warm), or none. */
static double cost(__u64 period_ns, bool warm, double without)
{
	const struct method *method = method_find("tick");
	void *pages = new_reserved(WIDE_COUNTERS);
	struct profil_region region = WIDE_REGION(pages);
	struct profil_stats stats;
	__u64 before;
	double with;

	madvise(pages, WIDE_COUNTERS, MADV_NOHUGEPAGE);
	driver_start_regions(&region, 1, period_ns);
	if (warm)
		wide_work(6 * WIDE_ROUNDS);
	before = samples_now();
	with = wide_time(WIDE_ROUNDS);
	driver_stats(&stats);
	printf("# %llu samples, %llu pages\n", stats.samples,
	       stats.pinned_pages);
	method->stop(method);
	munmap(pages, WIDE_COUNTERS);
	return (with - without) / (double)(stats.samples - before);
}

int main(void)
{
	struct series warm = { 0 }, first = { 0 };

	for (unsigned int i = 0; i < ROUNDS; i++) {
		double without = wide_time(WIDE_ROUNDS);

		series_add(&warm, cost(TEN_KHZ, true, without));
		series_add(&first, cost(2 * NSEC_PER_MSEC, false, without));
	}
	series_print(&warm, "sparse-counters/10khz-all-pages-met");
	series_print(&first, "sparse-counters/500hz-first-hits");
	return 0;
}
