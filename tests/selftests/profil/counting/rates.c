// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rates: the number of samples of a thread for its CPU time, as its CPU clock
 * tells, and the durations of START and STOP. Needs machine_counts(), so that every
 * due sample is taken.
 */
#include "harness.h"

/*
 * Samples of a thread or a process, the period, the CPU time between and around
 * START and STOP, and how often other work had the CPU.
 */
struct measure {
	__u64 period_ns;
	__u64 used_ns;
	__u64 around_ns;
	__u64 switches;
	__u64 samples;
};

static void log_measure(const struct measure *measure)
{
	TH_LOG("period %llu us: %llu samples, %llu due, %llu switches",
	       measure->period_ns / NSEC_PER_USEC, measure->samples,
	       measure->used_ns / measure->period_ns, measure->switches);
}

/* For a process that has a CPU of its own */
static void check_alone(const struct measure *measure)
{
	log_measure(measure);
	EXPECT_TRUE(all_due(measure->samples, measure->used_ns,
			    measure->around_ns, measure->period_ns,
			    measure->switches));
}

/* For one of several threads that share a CPU */
static void check_among(const struct measure *measure)
{
	log_measure(measure);
	EXPECT_TRUE(share_due(measure->samples, measure->used_ns,
			      measure->period_ns));
}

/*
 * Use @ns of CPU time, and yield after random times: turns that the scheduler
 * ends might be in phase with the tick.
 */
static void spin_by_turns(unsigned int nr, __u64 ns)
{
	__u64 end = thread_ns() + ns;
	unsigned int dice = nr;

	while (thread_ns() < end) {
		spin(nr, (__u64)rand_r(&dice) % (3 * NSEC_PER_MSEC));
		sched_yield();
	}
}

/* Profile this process, which has one thread. */
static int measure_alone(int fd, void *counters, __u64 ask_ns,
			 struct measure *measure)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 begin = thread_ns(), inner, ns;
	int error;

	memset(counters, 0, page_size());
	error = start_sites(fd, counters, 4, ask_ns);
	if (error)
		return error;
	inner = thread_ns();
	measure->period_ns = ask_ns ? ask_ns : tick_ns(fd);
	measure->switches = -switches();
	/* The time of 100 samples, or 50 ms if that is more */
	ns = 100 * measure->period_ns;
	spin_by_turns(9, ns > 50 * NSEC_PER_MSEC ? ns : 50 * NSEC_PER_MSEC);
	measure->used_ns = thread_ns() - inner;
	measure->switches += switches();
	error = stop(fd, &seen);
	measure->around_ns = thread_ns() - begin;
	measure->samples = seen.samples;
	return error ? error : adds_up(&seen) && !seen.lost ? 0 : -EPROTO;
}

TEST_F(profil, rate_is_as_requested)
{
	static const __u64 periods[] = { 0,	  5000000, 1000000,
					 1234567, 500000,  100000 };

	for (size_t i = 0; i < ARRAY_LENGTH(periods); i++) {
		struct measure measure = { 0 };

		ASSERT_OK(measure_alone(self->fd, self->counters, periods[i],
					&measure));
		check_alone(&measure);
	}
}

/*
 * A program that works for less than a period and then sleeps gets samples in
 * proportion to its CPU time.
 */
TEST_F(profil, short_bursts_are_sampled_without_bias)
{
	struct measure measure = { .period_ns = NSEC_PER_MSEC };
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 used;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, NSEC_PER_MSEC));
	used = thread_ns();
	while (thread_ns() - used < 150 * NSEC_PER_MSEC) {
		spin(7, 300 * NSEC_PER_USEC);
		sleep_ns(1700 * NSEC_PER_USEC);
	}
	measure.used_ns = thread_ns() - used;
	ASSERT_OK(stop(self->fd, &seen));
	measure.samples = seen.samples;
	check_among(&measure);
}

/* Several threads */
struct worker {
	pthread_t thread;
	unsigned int site;
	__u64 ns;
	__u64 used_ns;
};

static void *work(void *argument)
{
	struct worker *worker = argument;

	spin_by_turns(worker->site, worker->ns);
	worker->used_ns = thread_ns();
	return NULL;
}

static void run_all(struct worker *workers, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		ASSERT_OK(pthread_create(&workers[i].thread, NULL, work,
					 &workers[i]));
	for (unsigned int i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
}

/* Check each worker by the counter of its site, and their sum by @seen. */
static void check_workers(const profil_data *self, const struct worker *workers,
			  unsigned int nr, __u64 period_ns)
{
	for (unsigned int i = 0; i < nr; i++) {
		struct measure measure = {
			.period_ns = period_ns,
			.used_ns = workers[i].used_ns,
			.samples = counter(self->counters, 4, workers[i].site),
		};

		check_among(&measure);
	}
}

static void check_threads(const profil_data *self, __u64 period_ns)
{
	struct worker workers[4];
	struct profil_stats seen;
	struct measure all = { .period_ns = period_ns ?: tick_ns(self->fd) };

	for (unsigned int i = 0; i < 4; i++)
		workers[i] =
			(struct worker){ .site = 10 + i,
					 .ns = (i + 1) * 25 * all.period_ns };
	memset(self->counters, 0, page_size());
	all.around_ns = process_ns();
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	all.switches = -switches_of_others();
	all.used_ns = process_ns();
	run_all(workers, 4);
	all.used_ns = process_ns() - all.used_ns;
	all.switches += switches_of_others();
	seen = stop_and_check(self->fd, self->counters);
	all.around_ns = process_ns() - all.around_ns;
	all.samples = seen.samples;
	check_alone(&all);
	check_workers(self, workers, 4, all.period_ns);
}

TEST_F(profil, each_thread_is_sampled_for_its_cpu_time)
{
	check_threads(self, 0);
	check_threads(self, NSEC_PER_MSEC);
}

#define AT_ONCE 8

TEST_F(profil, short_lived_threads_get_the_full_rate)
{
	static struct worker workers[NR_SITES];

	for (unsigned int i = 0; i < NR_SITES; i++)
		workers[i] =
			(struct worker){ .site = i, .ns = 10 * NSEC_PER_MSEC };
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (unsigned int i = 0; i < NR_SITES; i += AT_ONCE)
		run_all(workers + i, AT_ONCE);
	stop_and_check(self->fd, self->counters);
	check_workers(self, workers, NR_SITES, FAST_NS);
}

/* The other thread is sampled at its full rate during forks. */
TEST_F(profil, forks_keep_the_rate_of_another_thread)
{
	struct worker worker = { .site = 6, .ns = 200 * NSEC_PER_MSEC };
	struct profil_stats seen = stats_blank(NULL, 0);

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(pthread_create(&worker.thread, NULL, work, &worker));
	for (unsigned int i = 0; i < 20; i++)
		ASSERT_TRUE(CHILD_OK(0));
	pthread_join(worker.thread, NULL);
	ASSERT_OK(stop(self->fd, &seen));
	check_workers(self, &worker, 1, FAST_NS);
	EXPECT_EQ(0, seen.lost);
}

/* Several sessions on the same CPUs */
struct child {
	struct measure measure;
	volatile int ready;
	volatile int go;
	int error;
};

/* Measure all children. They wait for each other to run at the same time. */
static void measure_together(const profil_data *self, const __u64 *periods,
			     size_t nr)
{
	struct child *reports = new_shared(page_size());
	pid_t children[16];

	for (size_t i = 0; i < nr; i++) {
		children[i] = IN_CHILD(({
			reports[i].ready = 1;
			while (!reports[i].go)
				sleep_ns(NSEC_PER_MSEC);
			reports[i].error =
				measure_alone(self->fd, self->counters,
					      periods[i], &reports[i].measure);
			0;
		}));
		ASSERT_LT(0, children[i]);
	}
	for (size_t i = 0; i < nr; i++)
		while (!reports[i].ready)
			sleep_ns(NSEC_PER_MSEC);
	for (size_t i = 0; i < nr; i++)
		reports[i].go = 1;
	for (size_t i = 0; i < nr; i++) {
		EXPECT_TRUE(exited_with(children[i], 0));
		EXPECT_EQ(0, reports[i].error);
		check_among(&reports[i].measure);
	}
}

TEST_F(profil, clocks_of_different_rates_do_not_disturb_each_other)
{
	static const __u64 periods[] = { 0,	  200000, 1000000,
					 3000000, 700000, 10000000 };

	measure_together(self, periods, ARRAY_LENGTH(periods));
}

/* Processes that must not be sampled */
/* The child exists before START, and shares the counters. */
TEST_F(profil, only_tasks_of_the_session_are_sampled)
{
	void *counters = new_shared(page_size());
	struct measure measure = { 0 };
	pid_t child = IN_CHILD(spin_forever(20));

	ASSERT_OK(measure_alone(self->fd, counters, NSEC_PER_MSEC, &measure));
	kill_child(child);
	check_among(&measure);
	EXPECT_EQ(0, counter(counters, 4, 20));
	EXPECT_LT(0, counter(counters, 4, 9));
}

TEST_F(profil, sleeping_process_gets_no_samples)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	pid_t children[2] = { IN_CHILD(spin_forever(20)),
			      IN_CHILD(spin_forever(21)) };

	ASSERT_OK(start_sites(self->fd, self->counters, 4, NSEC_PER_MSEC));
	sleep_ns(500 * NSEC_PER_MSEC);
	ASSERT_OK(stop(self->fd, &seen));
	kill_child(children[0]);
	kill_child(children[1]);
	/* START, STOP and falling asleep take some of 500 periods. */
	EXPECT_GE(10, seen.samples);
	EXPECT_EQ(0, seen.hits);
}

/* Durations of calls */
#define ROUNDS 100

/*
 * A call that waits for an RCU grace period takes a tick at least. The
 * machine's time is the time of its instructions, so the host does not affect
 * the result.
 */
static void check_rounds(const profil_data *self, __u64 period_ns)
{
	__u64 starts = 0, stops = 0, tick = tick_ns(self->fd);

	for (unsigned int round = 0; round < ROUNDS; round++) {
		__u64 begin = wall_ns(), between;

		ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
		between = wall_ns();
		ASSERT_OK(stop(self->fd, NULL));
		starts += between - begin;
		stops += wall_ns() - between;
	}
	TH_LOG("period %llu us: START %llu ns, STOP %llu ns",
	       period_ns / NSEC_PER_USEC, starts / ROUNDS, stops / ROUNDS);
	EXPECT_GT(tick / 8, starts / ROUNDS);
	EXPECT_GT(tick / 8, stops / ROUNDS);
}

TEST_F(profil, start_and_stop_wait_for_no_grace_period)
{
	/* the first START also hooks the kernel */
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(stop(self->fd, NULL));
	check_rounds(self, 0);
	check_rounds(self, FAST_NS);
}

TEST_HARNESS_MAIN
