// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: samples of several CPUs at once, by real clocks: lost samples, and
 * the rate of samples with one counter for all threads and with many counters,
 * in thousandths of the rate of a single thread
 */
#include "bench.h"

#define MAX_THREADS 8
#define PERIOD (NSEC_PER_MSEC / 10)

static void *run(void *used)
{
	__u64 until = wall_ns() + 2 * NSEC_PER_SEC;

	while (wall_ns() < until)
		work(1000 * WORK_UNIT);
	*(__u64 *)used = thread_ns();
	return NULL;
}

static __u64 cpu_time_of(unsigned int nr)
{
	pthread_t threads[MAX_THREADS];
	__u64 used[MAX_THREADS], sum = 0;

	for (unsigned int i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, run, &used[i]))
			die("Cannot make a thread.");
	for (unsigned int i = 0; i < nr; i++) {
		pthread_join(threads[i], NULL);
		sum += used[i];
	}
	return sum;
}

/*
 * @scale 2 gives one counter for all the work, 0x10000 one for each two bytes.
 */
static struct profil_stats measure(unsigned int nr, __u32 scale, void *counters,
				   __u64 *used)
{
	struct profil_region region;
	struct profil_stats stats;

	region = region_of(counters, WORK_BYTES, work_text, scale);
	driver_start_regions(&region, 1, PERIOD);
	*used = cpu_time_of(nr);
	driver_end(&stats);
	return stats;
}

static double rate(unsigned int nr, __u32 scale, struct series *lost)
{
	struct profil_stats stats;
	__u64 used;

	stats = measure(nr, scale, new_reserved(WORK_BYTES), &used);
	series_add(lost, (double)stats.lost);
	return (double)stats.samples / (double)used;
}

static void compare(unsigned int nr)
{
	struct series lost = { 0 }, one = { 0 }, many = { 0 };

	for (unsigned int i = 0; i < 5; i++) {
		double alone = rate(1, 0x10000, &lost);

		series_add(&one, 1000 * rate(nr, 2, &lost) / alone);
		series_add(&many, 1000 * rate(nr, 0x10000, &lost) / alone);
	}
	series_print(&lost, "threads/%u-lost", nr);
	series_print(&one, "threads/%u-on-one-counter", nr);
	series_print(&many, "threads/%u-on-many-counters", nr);
}

/*
 * A sampled thread, while three threads write its counter: the number of lost
 * samples in a thousand
 */
static __u16 hammered[WORK_BYTES / 2];
static volatile bool hammering;

static void *hammer(void *unused)
{
	while (hammering)
		__atomic_fetch_add(hammered, 0, __ATOMIC_SEQ_CST);
	return unused;
}

static double lost_of_thousand(void)
{
	pthread_t threads[3];
	struct profil_stats stats;
	__u64 used;

	hammering = true;
	for (unsigned int i = 0; i < ARRAY_LENGTH(threads); i++)
		if (pthread_create(&threads[i], NULL, hammer, NULL))
			die("Cannot make a thread.");
	stats = measure(1, 2, hammered, &used);
	hammering = false;
	for (unsigned int i = 0; i < ARRAY_LENGTH(threads); i++)
		pthread_join(threads[i], NULL);
	return 1000 * (double)stats.lost / (double)stats.hits;
}

static void hammer_a_counter(void)
{
	struct series lost = { 0 };

	for (unsigned int i = 0; i < 5; i++)
		series_add(&lost, lost_of_thousand());
	series_print(&lost, "threads/hammered-lost");
}

int main(void)
{
	compare(1);
	compare(4);
	compare(8);
	hammer_a_counter();
	return 0;
}
