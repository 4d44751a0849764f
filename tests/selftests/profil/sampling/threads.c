// SPDX-License-Identifier: GPL-2.0-only
/*
 * All threads of a program are sampled on all CPUs, and CPUs that share a
 * counter lose no sample. counting/rates.c tests the rate.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>

#define MOST_THREADS 8

/*
 * A worker spins at a site for @ns, then until its counter is at least @count.
 */
struct worker {
	pthread_t thread;
	unsigned int site;
	__u64 ns;
	const void *counters;
	__u32 width;
	__u64 count;
	bool counted;
};

static void *work(void *argument)
{
	struct worker *worker = argument;

	spin(worker->site, worker->ns);
	worker->counted = spin_until(worker->site, worker->counters,
				     worker->width, worker->count);
	return NULL;
}

static int begin(struct worker *workers, unsigned int nr)
{
	unsigned int i;
	int error = 0;

	for (i = 0; i < nr && !error; i++)
		error = pthread_create(&workers[i].thread, NULL, work,
				       &workers[i]);
	return error;
}

/* Join the workers. True if all have been counted. */
static bool finish(struct worker *workers, unsigned int nr)
{
	bool counted = true;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		pthread_join(workers[i].thread, NULL);
		counted &= workers[i].counted;
	}
	return counted;
}

/* Four threads at one counter, or at adjacent counters in one word. */
static void meet(struct __test_metadata *_metadata, int fd, void *counters,
		 __u32 width, unsigned int sites)
{
	struct worker workers[4];
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		workers[i] = (struct worker){ .site = 20 + i % sites,
					      .ns = 150 * NSEC_PER_MSEC,
					      .counters = counters,
					      .width = width,
					      .count = 1 };
	memset(counters, 0, page_size());
	ASSERT_OK(start_sites(fd, counters, width, 100 * NSEC_PER_USEC));
	ASSERT_OK(begin(workers, 4));
	EXPECT_TRUE(finish(workers, 4));
	ASSERT_OK(stop(fd, &seen));
	for (i = 0; i < sites; i++)
		sum += counter(counters, width, 20 + i);
	TH_LOG("%u-bit counters, %u of them: %llu hits", 8 * width, sites, sum);
	EXPECT_EQ(seen.hits, sum);
	EXPECT_EQ(0, seen.lost);
	EXPECT_TRUE(adds_up(&seen));
}

TEST_F(profil, cpus_sharing_a_counter_lose_nothing)
{
	__u32 width;

	for (width = 2; width <= 8; width *= 2)
		meet(_metadata, self->fd, self->counters, width, 1);
}

TEST_F(profil, cpus_with_adjacent_counters_lose_nothing)
{
	__u32 width;

	for (width = 2; width <= 8; width *= 2)
		meet(_metadata, self->fd, self->counters, width, 2);
}

static void check_running_thread(struct __test_metadata *_metadata, int fd,
				 void *counters, __u64 period_ns)
{
	struct worker worker = {
		.site = 7, .counters = counters, .width = 4, .count = 5
	};

	memset(counters, 0, page_size());
	ASSERT_OK(begin(&worker, 1));
	sleep_ns(50 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(fd, counters, 4, period_ns));
	EXPECT_TRUE(finish(&worker, 1));
	ASSERT_OK(stop(fd, NULL));
}

/*
 * No switch to the thread may occur for long: START itself must reach its CPU.
 */
TEST_F(profil, running_thread_is_sampled)
{
	check_running_thread(_metadata, self->fd, self->counters, 0);
	check_running_thread(_metadata, self->fd, self->counters, FAST_NS);
}

TEST_F(profil, short_lived_threads_are_sampled)
{
	static struct worker workers[NR_SITES];
	struct profil_stats seen = stats_blank(NULL, 0);
	unsigned int i;

	for (i = 0; i < NR_SITES; i++)
		workers[i] = (struct worker){ .site = i,
					      .ns = 5 * NSEC_PER_MSEC,
					      .counters = self->counters,
					      .width = 4,
					      .count = 1 };
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (i = 0; i < NR_SITES; i += MOST_THREADS) {
		ASSERT_OK(begin(workers + i, MOST_THREADS));
		EXPECT_TRUE(finish(workers + i, MOST_THREADS));
	}
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

static void check_cpus(struct __test_metadata *_metadata, int fd,
		       void *counters, __u64 period_ns)
{
	cpu_set_t cpus, one;
	int cpu;

	ASSERT_OK(sched_getaffinity(0, sizeof(cpus), &cpus));
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		ASSERT_OK(sched_setaffinity(0, sizeof(one), &one));
		memset(counters, 0, page_size());
		ASSERT_OK(start_sites(fd, counters, 2, period_ns));
		EXPECT_TRUE(spin_until(30, counters, 2, 3));
		ASSERT_OK(stop(fd, NULL));
	}
	ASSERT_OK(sched_setaffinity(0, sizeof(cpus), &cpus));
}

TEST_F(profil, every_cpu_samples)
{
	check_cpus(_metadata, self->fd, self->counters, 0);
	check_cpus(_metadata, self->fd, self->counters, FAST_NS);
}

TEST_HARNESS_MAIN
