// SPDX-License-Identifier: GPL-2.0-only
/*
 * All threads of a program are sampled, each for the CPU time that it uses, on
 * whatever CPU, and CPUs that meet at one counter lose nothing.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>

#define MOST_THREADS 8

struct worker {
	pthread_t thread;
	unsigned int site;
	__u64 ns;
	__u64 period_ns;
	__u64 used_ns;
	__u64 steady_ns;
};

static void *work(void *argument)
{
	struct worker *worker = argument;

	worker->steady_ns =
		spin_steady(worker->site, worker->ns, worker->period_ns);
	worker->used_ns = thread_ns();
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

static void finish(struct worker *workers, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
}

TEST_F(profil, each_thread_is_sampled_for_its_cpu_time)
{
	struct worker workers[4];
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 tick = tick_ns(self->fd), used, steady = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		workers[i] = (struct worker){ .site = 10 + i,
					      .ns = (i + 1) * 50 * tick,
					      .period_ns = tick };
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	used = process_ns();
	ASSERT_OK(begin(workers, 4));
	finish(workers, 4);
	used = process_ns() - used;
	ASSERT_OK(stop(self->fd, &seen));
	for (i = 0; i < 4; i++) {
		__u64 hits = counter(self->counters, 4, 10 + i);

		TH_LOG("thread %u: %llu samples, %llu to %llu due", i, hits,
		       workers[i].steady_ns / tick, workers[i].used_ns / tick);
		EXPECT_LE(fewest(workers[i].steady_ns, tick), hits);
		EXPECT_GE(most(workers[i].used_ns, tick), hits);
		steady += workers[i].steady_ns;
	}
	EXPECT_LE(fewest(steady, tick), seen.samples);
	EXPECT_GE(most(used, tick), seen.samples);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

/* Threads at one counter, or at neighbours in one word of memory. */
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
					      .period_ns = NSEC_PER_MSEC };
	memset(counters, 0, page_size());
	ASSERT_OK(start_sites(fd, counters, width, 100 * NSEC_PER_USEC));
	ASSERT_OK(begin(workers, 4));
	finish(workers, 4);
	ASSERT_OK(stop(fd, &seen));
	for (i = 0; i < sites; i++)
		sum += counter(counters, width, 20 + i);
	TH_LOG("%u-bit counters, %u of them: %llu hits", 8 * width, sites, sum);
	EXPECT_EQ(seen.hits, sum);
	EXPECT_LT(100, seen.hits);
	EXPECT_EQ(0, seen.lost);
	EXPECT_TRUE(adds_up(&seen));
}

TEST_F(profil, cpus_at_one_counter_lose_nothing)
{
	__u32 width;

	for (width = 2; width <= 8; width *= 2)
		meet(_metadata, self->fd, self->counters, width, 1);
}

TEST_F(profil, cpus_at_neighbouring_counters_lose_nothing)
{
	__u32 width;

	for (width = 2; width <= 8; width *= 2)
		meet(_metadata, self->fd, self->counters, width, 2);
}

static void check_running_thread(struct __test_metadata *_metadata, int fd,
				 void *counters, __u64 period_ns)
{
	struct worker worker = { .site = 7,
				 .period_ns = NSEC_PER_MSEC,
				 .ns = 400 * NSEC_PER_MSEC };

	memset(counters, 0, page_size());
	ASSERT_OK(begin(&worker, 1));
	sleep_ns(50 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(fd, counters, 4, period_ns));
	finish(&worker, 1);
	ASSERT_OK(stop(fd, NULL));
	EXPECT_LT(5, counter(counters, 4, 7));
}

/* It may not be switched to for long: the timer must reach it where it is. */
TEST_F(profil, thread_that_runs_already_is_sampled)
{
	check_running_thread(_metadata, self->fd, self->counters, 0);
	check_running_thread(_metadata, self->fd, self->counters, FAST_NS);
}

TEST_F(profil, threads_come_and_go)
{
	static struct worker workers[NR_SITES];
	struct profil_stats seen = stats_blank(NULL, 0);
	unsigned int round, i;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (round = 0; round < NR_SITES / MOST_THREADS; round++) {
		struct worker *turn = workers + round * MOST_THREADS;

		for (i = 0; i < MOST_THREADS; i++)
			turn[i] =
				(struct worker){ .site = round * MOST_THREADS +
							 i,
						 .ns = 10 * NSEC_PER_MSEC,
						 .period_ns = FAST_NS };
		ASSERT_OK(begin(turn, MOST_THREADS));
		finish(turn, MOST_THREADS);
	}
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
	for (i = 0; i < NR_SITES; i++)
		EXPECT_LE(fewest(workers[i].steady_ns, FAST_NS),
			  counter(self->counters, 4, i));
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
		EXPECT_TRUE(spin_till(30, counters, 2, 3));
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
